import { DeployPaths } from './deploy-paths.tsx';
import { Hero } from './hero.tsx';
import { LandingFooter, LandingHeader } from './landing-frame.tsx';
import { Pricing } from './pricing.tsx';
import { Services } from './services.tsx';
import { Testimonials } from './testimonials.tsx';
import { useWelcome } from './welcome.ts';
import { WhyUs } from './why-us.tsx';
import './landing.css';
import type { Welcome } from '@nephos/contracts';
import { ArrowRight } from 'lucide-react';
import { LOGIN_PATH, SIGNUP_PATH } from '../../lib/account-paths.ts';
import { buttonStyles } from '../../ui/button-styles.ts';

/** What visitors see at `/`. */
export function LandingPage() {
  const { known, ...welcome } = useWelcome();
  const begin = known && !welcome.billing ? 'Create account' : 'Start free trial';
  return (
    <div className="landing">
      <a
        href="#content"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md border border-line-strong bg-raised px-4 py-2 font-medium focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <LandingHeader sells={welcome.billing} begin={begin} />
      <main id="content">
        <Hero trial={known ? welcome.billing : undefined} begin={begin} />
        <WhyUs welcome={welcome} />
        <Services welcome={welcome} />
        <DeployPaths membersDeploy={welcome.membersDeploy} />
        <Testimonials />
        {welcome.billing && <Pricing />}
        <Closing welcome={welcome} begin={begin} />
      </main>
      <LandingFooter />
    </div>
  );
}

/** How somebody begins here. */
function invitationOf({ signups, invitations, billing }: Welcome): string {
  if (!signups) {
    return invitations
      ? 'This server is invite-only. Ask an admin for an invitation.'
      : 'Sign-ups are closed on this server.';
  }
  return billing
    ? 'Free for 14 days. No credit card required.'
    : 'Create an account and deploy your first app.';
}

function Closing({ welcome, begin }: { welcome: Welcome; begin: string }) {
  return (
    <section aria-labelledby="closing-heading" className="relative overflow-hidden border-line border-t">
      <div aria-hidden="true" className="landing-backdrop absolute inset-x-0 -bottom-64 h-[40rem]" />
      <div className="relative mx-auto flex max-w-7xl flex-col items-center px-5 py-24 text-center sm:px-8 sm:py-32">
        <h2 id="closing-heading" className="max-w-2xl text-balance text-3xl tracking-[-0.03em] sm:text-4xl">
          Put your next deploy on your own cloud
        </h2>
        <p className="mt-5 max-w-xl text-balance text-lg text-muted">{invitationOf(welcome)}</p>
        <div className="mt-9 flex flex-wrap justify-center gap-3">
          <a href={SIGNUP_PATH} className={buttonStyles({ variant: 'primary', size: 'lg' })}>
            {begin}
            <ArrowRight aria-hidden="true" />
          </a>
          <a href={LOGIN_PATH} className={buttonStyles({ size: 'lg' })}>
            {begin === 'Create account' ? 'Log in' : 'Contact sales'}
          </a>
        </div>
      </div>
    </section>
  );
}
