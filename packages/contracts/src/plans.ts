/** What plans cost and hold, what usage costs, and how a plan is renewed. */

export const PLAN_TIERS = ['starter', 'professional', 'enterprise'] as const;
export type PlanTier = (typeof PLAN_TIERS)[number];

/** What the plan is called where none is sold. */
export const NO_PLAN = 'Unlimited';

export interface Plan {
  name: string;
  /** Cents a month. */
  price: number;
  /** Projects that may exist at once; `null` is unlimited. */
  deployments: number | null;
  /** Bytes of file storage. */
  storage: number;
  features: readonly string[];
}

/** Bytes. */
export const GB = 1024 ** 3;

/** The plans of the billing page. The landing page carries other prices, as specified. */
export const PLANS: Readonly<Record<PlanTier, Plan>> = {
  starter: {
    name: 'Starter',
    price: 2900,
    deployments: 5,
    storage: 10 * GB,
    features: ['5 deployments', '10GB storage', 'Basic support', 'Marketplace access'],
  },
  professional: {
    name: 'Professional',
    price: 9900,
    deployments: 25,
    storage: 100 * GB,
    features: [
      '25 deployments',
      '100GB storage',
      'Priority support',
      'Marketplace access',
      'Advanced analytics',
    ],
  },
  enterprise: {
    name: 'Enterprise',
    price: 29_900,
    deployments: null,
    storage: 1024 * GB,
    features: [
      'Unlimited deployments',
      '1TB storage',
      '24/7 support',
      'Marketplace access',
      'Custom integrations',
    ],
  },
};

export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'cancelled'] as const;

/** What usage is metered of: storage is files, containers are images in the registry, egress leaves by the proxy. */
export const USAGE_TYPES = ['deployment', 'database', 'storage', 'container', 'egress'] as const;
export type UsageType = (typeof USAGE_TYPES)[number];

export interface Rate {
  /** The unit of a usage record's amount, for people. */
  unit: string;
  /** Cents for one unit. */
  cents: number;
}

/** What usage costs. A GB-hour is 1024³ bytes kept for an hour. */
export const RATE_CARD: Readonly<Record<UsageType, Rate>> = {
  deployment: { unit: 'hours', cents: 0.8 },
  database: { unit: 'GB-hours', cents: 0.02 },
  storage: { unit: 'GB-hours', cents: 0.003 },
  container: { unit: 'GB-hours', cents: 0.003 },
  egress: { unit: 'GB', cents: 1 },
};

/** Days after the first declined renewal on which it is tried again; after the last the subscription is cancelled. */
export const RENEWAL_RETRY_DAYS = [1, 3, 7] as const;

/** Days after a period's end for which it counts as paid for, while nobody knows whether the next one is. */
export const RENEWAL_GRACE_DAYS = 7;

/** What the billing page shows, under 'Sample data', to an account without a history. */
export const SAMPLE_MONTHLY_COSTS = [
  { month: 'Jan', dollars: 120 },
  { month: 'Feb', dollars: 150 },
  { month: 'Mar', dollars: 180 },
  { month: 'Apr', dollars: 220 },
  { month: 'May', dollars: 200 },
  { month: 'Jun', dollars: 250 },
] as const;
/** Percentages. */
export const SAMPLE_RESOURCE_USAGE = [
  { resource: 'Deployments', percent: 45 },
  { resource: 'Databases', percent: 28 },
  { resource: 'Storage', percent: 65 },
  { resource: 'Containers', percent: 38 },
] as const;
