import { DeployPaths } from './deploy-paths.tsx';
import { Hero } from './hero.tsx';
import { LandingFooter, LandingHeader } from './landing-frame.tsx';
import { Pricing } from './pricing.tsx';
import { Services } from './services.tsx';
import { Testimonials } from './testimonials.tsx';
import { WhyUs } from './why-us.tsx';
import './landing.css';
import type { BillingStatus } from '@nephos/contracts';
import { BILLING_STATUS_PATH } from '@nephos/contracts/constants';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { LOGIN_PATH, SIGNUP_PATH } from '../../lib/account-paths.ts';
import { buttonStyles } from '../../ui/button-styles.ts';

/** What visitors see at `/`. */
export function LandingPage() {
  const sells = useSells();
  return (
    <div className="landing">
      <a
        href="#content"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md border border-line-strong bg-raised px-4 py-2 font-medium focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <LandingHeader sells={sells} />
      <main id="content">
        <Hero />
        <WhyUs />
        <Services />
        <DeployPaths />
        <Testimonials />
        {sells && <Pricing />}
        <Closing />
      </main>
      <LandingFooter />
    </div>
  );
}

function Closing() {
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
          <a href={SIGNUP_PATH} className={buttonStyles({ variant: 'primary', size: 'lg' })}>
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

/** Plain `fetch`: the page loads no client. What cannot be found out is as it is by default. */
async function fetchSells(): Promise<boolean> {
  try {
    const response = await fetch(BILLING_STATUS_PATH);
    if (!response.ok) return true;
    const { enabled }: BillingStatus = await response.json();
    return enabled;
  } catch {
    return true;
  }
}

/** Whether this server sells plans; false until that is known, so that no price shows on one that does not. */
function useSells(): boolean {
  const [sells, setSells] = useState(false);
  useEffect(() => {
    let gone = false;
    void fetchSells().then((answer) => !gone && setSells(answer));
    return () => {
      gone = true;
    };
  }, []);
  return sells;
}
