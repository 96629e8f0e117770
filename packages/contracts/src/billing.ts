import { z } from 'zod';
import { BILLING_STATUS_PATH, LIMITED, PLAN_TIERS, SUBSCRIPTION_STATUSES, USAGE_TYPES } from './constants.ts';
import { mutation, query, subscription, writesNeed } from './kit.ts';
import { Id, OptionalPage, Success } from './page.ts';

/** A plan's name as it is sent, in whatever case. */
export const ChosenPlan = z
  .string('Choose a plan.')
  .overwrite((tier) => tier.trim().toLowerCase())
  .pipe(z.enum(PLAN_TIERS, `Plan must be one of ${PLAN_TIERS.join(', ')}.`));

/** A payment's name at its provider. */
export const PaymentIntentId = z.string().regex(/^pi_\w{8,64}$/, 'A payment intent ID looks like pi_….');

/** A subscription. */
export const Subscription = z.object({
  id: Id,
  userId: Id,
  planTier: z.enum(PLAN_TIERS),
  /** `past_due`: a renewal was declined and is tried again; `cancelled`: over. */
  status: z.enum(SUBSCRIPTION_STATUSES),
  /** Cents a month. */
  amount: z.int(),
  /** When it renews, or ends where `cancelAtPeriodEnd` is set. */
  renewalDate: z.iso.datetime(),
  cancelAtPeriodEnd: z.boolean(),
  /** Why the last charge failed, in one sentence; '' but for `past_due`. */
  failure: z.string(),
  /** When the charge is tried again; null but for `past_due`. */
  nextAttempt: z.iso.datetime().nullable(),
  /** Its renewal is due or asked for, and the payment provider has not said what came of it: it stays active. */
  renewing: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type Subscription = z.output<typeof Subscription>;

/** A charge of a subscription. */
export const Payment = z.object({
  id: Id,
  /** Unique, for people, for example `INV-2026-000042`. */
  invoiceId: z.string(),
  userId: Id,
  /** Dollars, as the admin page shows it undivided. */
  amount: z.number(),
  /** For example `Visa ending 4242`. */
  paymentMethod: z.string(),
  status: z.enum(['completed', 'failed']),
  /** Why it failed, in one sentence; '' otherwise. */
  failure: z.string(),
  paymentDate: z.iso.datetime().nullable(),
});
export type Payment = z.output<typeof Payment>;

/** What one resource used in one hour, by its id alone. */
export const MeteredHour = z.object({
  id: Id,
  userId: Id,
  resourceType: z.enum(USAGE_TYPES),
  resourceId: Id.nullable(),
  /** Units of the resource type's rate (`RATE_CARD`). */
  amount: z.number(),
  /** Cents; fractions of a cent are kept. */
  cost: z.number(),
  /** Beginning of the hour. */
  timestamp: z.iso.datetime().nullable(),
});

/** What one resource used in one hour. */
export const UsageRecord = MeteredHour.extend({
  /** Its present name, or the last one of what is deleted; null for all files together, and where nobody knows it. */
  resourceName: z.string().nullable(),
  /** Whether the resource is gone; false for all files together. */
  resourceDeleted: z.boolean(),
});
export type UsageRecord = z.output<typeof UsageRecord>;

/** The card that renewals are charged to; nothing of it but this is known to the server. */
export const PaymentCard = z.object({
  /** For example `Visa`. */
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
});
export type PaymentCard = z.output<typeof PaymentCard>;

/** Who takes card payments. */
export const PaymentProviderInfo = z.object({
  name: z.enum(['stripe', 'sandbox']),
  /** Stripe's, for the browser; null for the sandbox. */
  publishableKey: z.string().nullable(),
  /** Whether no real money moves: the sandbox, or Stripe with test keys. */
  testMode: z.boolean(),
  /** Cards to try; empty but for the sandbox. */
  testCards: z.array(z.object({ number: z.string(), outcome: z.string() })),
});
export type PaymentProviderInfo = z.output<typeof PaymentProviderInfo>;

/** Whether this server sells anything. */
export const BillingStatus = z.object({
  /** False: there are no trials, plans or limits of plans, and nothing is charged. Usage is measured all the same. */
  enabled: z.boolean(),
});
export type BillingStatus = z.output<typeof BillingStatus>;

/**
 * What a person was charged, and what their resources used: two figures, of which only the first is paid. In cents; a
 * charge is whole, usage keeps its fractions.
 */
export const BillingSummary = z.object({
  /** Whether there is a charge or a usage record at all; without one the page shows its sample series. */
  hasHistory: z.boolean(),
  /** The last six calendar months in UTC, oldest first, this month last. */
  months: z.array(
    z.object({
      /** For example `2026-11`. */
      month: z.string(),
      /** Completed payments for plans: first payments, changes of plan and renewals. One that failed is none. */
      charged: z.int(),
      /** What the metered usage is worth at the usage rates. It is not charged. */
      cost: z.number(),
    }),
  ),
  /** How the charges of the running month differ from those of the month before; null where that had none. */
  percentChange: z.number().nullable(),
  /** What was charged in the six months. */
  totalSpend: z.int(),
  /** How the usage of the running month differs from that of the month before; null where that had none. */
  usageChange: z.number().nullable(),
  /** What the usage of the six months is worth. */
  totalUsage: z.number(),
  /** The last thirty days in UTC, oldest first: what the usage of each type of resource is worth. */
  days: z.array(
    z.object({
      /** For example `2026-11-21`. */ day: z.string(),
      costs: z.record(z.enum(USAGE_TYPES), z.number()),
    }),
  ),
  /** Running apps, databases, stored files and images that exist now. */
  activeResources: z.int(),
  paymentMethod: PaymentCard.nullable(),
});
export type BillingSummary = z.output<typeof BillingSummary>;

/** How much of what an account may have it has. */
function allowance<L extends z.ZodType>(limit: L) {
  return z.object({ used: z.int(), limit });
}

/**
 * What an account's plan allows, that of Starter without a subscription, and what of it is used. Where billing is
 * switched off, no plan limits anything. An admin may have set other limits in either case.
 */
export const PlanUse = z.object({
  /** Its name, for example `Starter`; `Unlimited` where billing is switched off. */
  plan: z.string(),
  /** Whether it is that of a trial. */
  trial: z.boolean(),
  /** Limits that an admin set in place of the plan's. */
  setByAdmin: z.array(z.enum(LIMITED)),
  /** `null` for any number. */
  projects: allowance(z.int().nullable()),
  /** Projects among them that were made for branches; `null` for any number. */
  previews: allowance(z.int().nullable()),
  /** Shared workspaces that the caller owns, where plans are sold without one of their own. */
  workspaces: allowance(z.int()),
  /** The same in every plan. */
  databases: allowance(z.int()),
  /** The same in every plan. */
  dnsZones: allowance(z.int()),
  /** The same in every plan. */
  virtualAccounts: allowance(z.int()),
  /** Bytes of files and images together; `null` for any number. */
  storage: allowance(z.int().nullable()),
});
export type PlanUse = z.output<typeof PlanUse>;

/** What became of a card payment, in the sandbox. Named as Stripe names them. */
export const SandboxOutcome = z.object({
  status: z.enum(['succeeded', 'requires_action', 'requires_payment_method']),
  paymentIntentId: z.string(),
  /** Why the card was declined, in one sentence; '' otherwise. */
  message: z.string(),
});
export type SandboxOutcome = z.output<typeof SandboxOutcome>;

/** What became of a payment with the saved card. Named as Stripe names them. */
export const SavedCardOutcome = SandboxOutcome.extend({
  /** `requires_action`: the bank asks its customer, which the browser has to show; `processing`: it has not decided. */
  status: z.enum(['succeeded', 'requires_action', 'processing', 'requires_payment_method']),
});
export type SavedCardOutcome = z.output<typeof SavedCardOutcome>;

const CARD_NUMBER = 'Enter a card number of 12 to 19 digits.';
const ClientSecret = z.string().max(255);

/** A test card, for sandbox payments only; a number that is not a test card's is refused and kept nowhere. */
export const SandboxCard = z.object({
  clientSecret: ClientSecret,
  cardNumber: z
    .string(CARD_NUMBER)
    .overwrite((number) => number.replaceAll(/[\s-]/g, ''))
    .regex(/^\d{12,19}$/, CARD_NUMBER),
  expiryMonth: z.int().min(1, 'Month must be 1 to 12.').max(12, 'Month must be 1 to 12.'),
  expiryYear: z.int().min(2000, 'Enter a four-digit year.').max(2100, 'Enter a four-digit year.'),
  cvc: z.string().regex(/^\d{3,4}$/, 'Security code must be 3 or 4 digits.'),
});

export const billing = writesNeed('billing', {
  status: query({
    summary: 'Whether trials and plans apply on this server',
    route: `GET ${BILLING_STATUS_PATH}`,
    access: 'public',
    forAssistant: true,
    output: BillingStatus,
  }),
  activeSubscription: query({
    summary:
      'Your subscription, or null; it counts while past due or awaiting renewal, until it is cancelled',
    route: 'GET /api/subscriptions/active',
    forAssistant: true,
    output: Subscription.nullable(),
  }),
  subscriptions: query({
    summary: 'Your subscriptions, newest first',
    route: 'GET /api/subscriptions',
    input: OptionalPage,
    output: z.array(Subscription),
  }),
  provider: query({
    summary: 'The card payment provider',
    route: 'GET /api/billing/provider',
    output: PaymentProviderInfo,
  }),
  startPayment: mutation({
    summary: 'Start paying for a plan: creates a payment intent for its price, for the browser to confirm',
    route: 'POST /api/create-subscription-payment',
    perMinute: 5,
    secret: true,
    keepsKeys: true,
    input: z.object({ planTier: ChosenPlan }),
    output: z.object({ clientSecret: z.string(), paymentIntentId: z.string() }),
  }),
  payWithSavedCard: mutation({
    summary: 'Pay a payment intent with your saved card',
    route: 'POST /api/billing/card/pay',
    perMinute: 10,
    // It charges a card without anybody who types its number.
    sessionOnly: true,
    // Repeated, it says again what came of the payment: that is charged once.
    keepsKeys: true,
    input: z.object({ paymentIntentId: PaymentIntentId }),
    output: SavedCardOutcome,
  }),
  confirmSandboxPayment: mutation({
    summary: 'Pay a sandbox intent with a test card, as the browser does at Stripe',
    route: 'POST /api/billing/sandbox/confirm',
    perMinute: 20,
    // Repeated, it says again what came of the payment; nothing of a card is kept for that.
    keepsKeys: true,
    input: SandboxCard,
    output: SandboxOutcome,
  }),
  authenticateSandboxPayment: mutation({
    summary: "Approve or deny a payment as the sandbox bank's customer",
    route: 'POST /api/billing/sandbox/authenticate',
    perMinute: 20,
    keepsKeys: true,
    input: z.object({ clientSecret: ClientSecret, approve: z.boolean() }),
    output: SandboxOutcome,
  }),
  subscribe: mutation({
    summary: 'Subscribe with a payment that succeeded; it replaces an earlier plan. 200 when repeated',
    route: 'POST /api/subscriptions',
    status: 201,
    findsExisting: true,
    asksPayment: true,
    perMinute: 10,
    keepsKeys: true,
    input: z.object({
      planTier: ChosenPlan,
      paymentIntentId: PaymentIntentId,
    }),
    output: Subscription,
  }),
  cancel: mutation({
    summary: 'Cancel your subscription at the end of its period; a past-due one ends immediately',
    route: 'POST /api/subscriptions/cancel',
    perMinute: 10,
    output: Subscription,
  }),
  resume: mutation({
    summary: 'Resume a cancelled subscription before its period ends',
    route: 'POST /api/subscriptions/resume',
    perMinute: 10,
    output: Subscription,
  }),
  payments: query({
    summary: 'Charges to your card, newest first',
    route: 'GET /api/billing/payments',
    input: OptionalPage,
    output: z.array(Payment),
  }),
  removeCard: mutation({
    summary: 'Remove the saved card; refused while a subscription renews with it',
    route: 'DELETE /api/billing/card',
    perMinute: 10,
    keepsKeys: true,
    output: Success,
  }),
  usage: query({
    summary: 'What each resource used in each hour, newest first; costs in cents',
    route: 'GET /api/billing/usage',
    forAssistant: true,
    input: OptionalPage,
    output: z.array(UsageRecord),
  }),
  summary: query({
    summary: 'What you were charged and what your resources used, by month and by day; in cents',
    route: 'GET /api/billing/summary',
    forAssistant: true,
    withheld: ['paymentMethod'],
    output: BillingSummary,
  }),
  limits: query({
    summary: 'Your plan limits and how much of each you use; storage in bytes of files, images and backups',
    route: 'GET /api/billing/limits',
    forAssistant: true,
    output: PlanUse,
  }),
  changes: subscription({
    summary: 'An event on connect, and whenever your subscription, card or payments change',
    output: z.object({}),
  }),
});
