import { Check } from 'lucide-react';
import { LOGIN_PATH, SIGNUP_PATH } from '../../lib/account-paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { classNames } from '../../ui/class-names.ts';
import { Section } from './section.tsx';

interface Offer {
  name: string;
  price: string;
  /** After the price, in small. */
  per: string;
  pitch: string;
  features: string[];
  action: { label: string; path: string };
  popular?: true;
}

const TRIAL: Offer['action'] = { label: 'Start free trial', path: SIGNUP_PATH };

/** Prices of the landing page; the billing page has its own. */
const OFFERS: Offer[] = [
  {
    name: 'Starter',
    price: '$49',
    per: 'per month',
    pitch: 'For your first projects.',
    features: ['10 projects', '100GB storage', 'Basic support'],
    action: TRIAL,
  },
  {
    name: 'Professional',
    price: '$149',
    per: 'per month',
    pitch: 'For growing teams.',
    features: ['Unlimited projects', '1TB storage', 'Priority support'],
    action: TRIAL,
    popular: true,
  },
  {
    name: 'Enterprise',
    price: 'Custom',
    per: 'pricing',
    pitch: 'For large organizations.',
    features: ['Unlimited deployments', '24/7 support', 'Custom integrations'],
    action: { label: 'Contact sales', path: LOGIN_PATH },
  },
];

export function Pricing() {
  return (
    <Section
      id="pricing"
      eyebrow="Pricing"
      title="Flat prices, whatever your traffic"
      lead="Every plan starts with a 14-day free trial. No credit card required."
    >
      <div className="grid gap-4 lg:grid-cols-3">
        {OFFERS.map((offer) => (
          <OfferCard key={offer.name} {...offer} />
        ))}
      </div>
    </Section>
  );
}

function OfferCard({ name, price, per, pitch, features, action, popular }: Offer) {
  return (
    <article
      className={classNames(
        'flex flex-col rounded-xl border p-6 sm:p-8',
        popular ? 'border-accent-text bg-raised' : 'border-line bg-surface',
      )}
    >
      <div className="flex h-6 items-center justify-between gap-3">
        <h3 className="text-lg">{name}</h3>
        {popular && <Badge tone="accent">Most Popular</Badge>}
      </div>
      <p className="mt-6 flex items-baseline gap-2">
        <span className="font-semibold text-4xl tracking-tight">{price}</span>
        <span className="text-muted">{per}</span>
      </p>
      <p className="mt-3 text-muted">{pitch}</p>
      <ul className="mt-8 mb-10 flex flex-col gap-3">
        {features.map((feature) => (
          <li key={feature} className="flex items-center gap-3">
            <Check aria-hidden="true" className="size-4 shrink-0 text-accent-text" />
            {feature}
          </li>
        ))}
      </ul>
      <a
        href={action.path}
        className={buttonStyles({
          variant: popular ? 'primary' : 'secondary',
          size: 'lg',
          className: 'mt-auto',
        })}
      >
        {action.label}
      </a>
    </article>
  );
}
