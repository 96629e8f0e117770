import { Closing } from './closing.tsx';
import { DeployPaths } from './deploy-paths.tsx';
import { Hero } from './hero.tsx';
import { LandingFooter } from './landing-footer.tsx';
import { LandingHeader } from './landing-header.tsx';
import { Pricing } from './pricing.tsx';
import { Services } from './services.tsx';
import { Testimonials } from './testimonials.tsx';
import { useSells } from './use-sells.ts';
import { WhyUs } from './why-us.tsx';
import './landing.css';

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
