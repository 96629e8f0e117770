import { ArrowRight, BadgeCheck } from 'lucide-react';
import { SIGNUP_PATH } from '../../lib/account-paths.ts';
import { buttonStyles } from '../../ui/button-styles.ts';
import { classNames } from '../../ui/class-names.ts';
import { HeroVisual } from './hero-visual.tsx';

const STATS = [
  { value: '99.99%', label: 'SLA uptime' },
  { value: 'under 100ms', label: 'edge latency' },
  { value: '10K+', label: 'deployments per day' },
  { value: '50+', label: 'data centers' },
];

const COMPLIANCE = ['SOC 2 Type II', 'ISO 27001', 'GDPR', 'HIPAA Ready'];

export interface PitchProps {
  /** Whether an account begins with a trial; undefined until that is known. */
  trial: boolean | undefined;
  /** What the way to an account is called. */
  begin: string;
}

export function Hero(props: PitchProps) {
  return (
    <section aria-labelledby="hero-heading" className="relative overflow-hidden">
      <div
        aria-hidden="true"
        className="landing-backdrop absolute -top-40 -right-40 h-[64rem] w-[80rem] max-lg:top-1/4"
      />
      <div className="relative mx-auto max-w-7xl px-5 pt-16 sm:px-8 lg:pt-20">
        <div className="grid items-center gap-14 lg:grid-cols-2 lg:gap-10">
          <Pitch {...props} />
          <HeroVisual />
        </div>
        <Facts />
      </div>
    </section>
  );
}

function Pitch({ trial, begin }: PitchProps) {
  return (
    <div>
      <p className={classNames('font-medium text-accent-text', trial === undefined && 'invisible')}>
        {trial === false ? 'Your own cloud, in one program.' : '14-day free trial. No credit card.'}
      </p>
      <h1
        id="hero-heading"
        className="mt-5 text-3xl tracking-[-0.03em] sm:text-4xl xl:whitespace-nowrap xl:text-[3.25rem] xl:leading-[1.08]"
      >
        <span className="xl:block">From Git to live, </span>
        <span className="xl:block">on your own cloud.</span>
      </h1>
      <p className="mt-6 max-w-lg text-lg text-muted">
        Nephos builds and runs your apps and gives them a registry, databases, storage and DNS, all from one
        console on your own machine. A failed deploy never takes down the running version.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <a href={SIGNUP_PATH} className={buttonStyles({ variant: 'primary', size: 'lg' })}>
          {begin}
          <ArrowRight aria-hidden="true" />
        </a>
        <a href="#deploy" className={buttonStyles({ size: 'lg' })}>
          See how deploys work
        </a>
      </div>
    </div>
  );
}

function Facts() {
  return (
    <div className="mt-16 mb-20 border-line border-t pt-10 lg:mt-20">
      <dl className="grid grid-cols-2 gap-y-8 md:grid-cols-4">
        {STATS.map(({ value, label }) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end border-line md:border-l md:pl-6 md:first:border-l-0 md:first:pl-0"
          >
            <dt className="mt-1 text-muted">{label}</dt>
            <dd className="whitespace-nowrap font-semibold text-2xl tracking-tight sm:text-3xl">{value}</dd>
          </div>
        ))}
      </dl>
      <ul aria-label="Compliance" className="mt-10 flex flex-wrap gap-2">
        {COMPLIANCE.map((name) => (
          <li
            key={name}
            className="inline-flex h-8 items-center gap-2 rounded-full border border-line-strong bg-surface px-3.5 font-medium text-muted text-sm"
          >
            <BadgeCheck aria-hidden="true" className="size-4 text-accent-text" />
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
