import { ArrowRight } from 'lucide-react';
import { LOGIN_PATH } from '../../shell/account-paths.ts';
import { buttonStyles } from '../../ui/button-styles.ts';

export function Closing() {
  return (
    <section aria-labelledby="closing-heading" className="relative overflow-hidden border-line border-t">
      <div aria-hidden="true" className="landing-backdrop absolute inset-x-0 -bottom-64 h-[40rem]" />
      <div className="relative mx-auto flex max-w-7xl flex-col items-center px-5 py-24 text-center sm:px-8 sm:py-32">
        <h2 id="closing-heading" className="max-w-2xl text-3xl tracking-[-0.03em] sm:text-4xl">
          Your next deploy could be on your own cloud
        </h2>
        <p className="mt-5 max-w-xl text-balance text-lg text-muted">
          Fourteen days with everything switched on. No credit card, and nothing to undo if you leave.
        </p>
        <div className="mt-9 flex flex-wrap justify-center gap-3">
          <a href={LOGIN_PATH} className={buttonStyles({ variant: 'primary', size: 'lg' })}>
            Start free trial
            <ArrowRight aria-hidden="true" />
          </a>
          <a href={LOGIN_PATH} className={buttonStyles({ size: 'lg' })}>
            Contact sales
          </a>
        </div>
      </div>
    </section>
  );
}
