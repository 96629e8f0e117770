import { FileQuestionMark } from 'lucide-react';
import { buttonStyles } from '../../ui/button-styles.ts';

/** The screen of every path that is no page, signed in or not. */
export function NotFoundPage() {
  return (
    <div className="flex min-h-[70dvh] grow flex-col items-center justify-center px-6 text-center">
      <FileQuestionMark aria-hidden="true" className="size-8 text-faint" />
      <h1 className="mt-5 font-semibold text-2xl tracking-tight">404 Page Not Found</h1>
      <p className="mt-2 text-muted">Did you forget to add the page to the router?</p>
      <a href="/" className={buttonStyles({ className: 'mt-6' })}>
        Go to the home page
      </a>
    </div>
  );
}
