import {
  type BillingSummary,
  billing,
  type Payment,
  type PaymentProviderInfo,
  type SavedCardOutcome,
  type Subscription,
  type UsageRecord,
} from '@nephos/contracts';
import {
  type Limited,
  MAX_DATABASES,
  MAX_OWNED_WORKSPACES,
  MAX_VIRTUAL_ACCOUNTS,
  MAX_ZONES,
  NO_PLAN,
  PLANS,
  UNPAID_WORKSPACES,
} from '@nephos/contracts/constants';
import { implement, pageOf, silence, success } from './mock-implement.ts';
import { idOf } from './mock-world.ts';

export interface MockBilling {
  /** Whether billing is switched on. */
  enabled: boolean;
  setByAdmin?: Limited[];
  subscription: Subscription | null;
  provider: PaymentProviderInfo;
  payments: Payment[];
  usage: UsageRecord[];
  summary: BillingSummary;
  /** Whether a plan that was paid for later has the place of the one that is paid for now. */
  overtaken: boolean;
  /** How a payment with the saved card ends; it succeeds where nothing is said. */
  savedCard: Partial<SavedCardOutcome>;
}

export function mockSubscription(changes: Partial<Subscription> = {}): Subscription {
  return {
    id: idOf(901),
    userId: '0197a000-0000-7000-8000-00000000000a',
    planTier: 'starter',
    status: 'active',
    amount: PLANS.starter.price,
    renewalDate: '2026-12-21T10:00:00.000Z',
    cancelAtPeriodEnd: false,
    failure: '',
    nextAttempt: null,
    renewing: false,
    createdAt: '2026-11-21T10:00:00.000Z',
    ...changes,
  };
}

export function mockPayment(changes: Partial<Payment> = {}): Payment {
  return {
    id: idOf(921),
    invoiceId: 'INV-2026-000001',
    userId: '0197a000-0000-7000-8000-00000000000a',
    amount: 29,
    paymentMethod: 'Visa ending 4242',
    status: 'completed',
    failure: '',
    paymentDate: '2026-11-21T10:00:00.000Z',
    ...changes,
  };
}

export function mockUsageRecord(changes: Partial<UsageRecord> = {}): UsageRecord {
  return {
    id: idOf(941),
    userId: '0197a000-0000-7000-8000-00000000000a',
    resourceType: 'deployment',
    resourceId: idOf(1),
    amount: 1,
    cost: 0.8,
    timestamp: '2026-11-21T09:00:00.000Z',
    resourceName: 'Shop',
    resourceDeleted: false,
    ...changes,
  };
}

/**
 * An account with a history: charged $29 last month and $99 in this one, with usage worth $1.20 and $1.50, of deployments
 * and a database.
 */
export function mockSummary(changes: Partial<BillingSummary> = {}): BillingSummary {
  const nothing = { deployment: 0, database: 0, storage: 0, container: 0, egress: 0 };
  return {
    hasHistory: true,
    months: [
      { month: '2026-06', charged: 0, cost: 0 },
      { month: '2026-07', charged: 0, cost: 0 },
      { month: '2026-08', charged: 0, cost: 0 },
      { month: '2026-09', charged: 0, cost: 0 },
      { month: '2026-10', charged: 2900, cost: 120 },
      { month: '2026-11', charged: 9900, cost: 150.4 },
    ],
    percentChange: 241.38,
    totalSpend: 12_800,
    usageChange: 25.333,
    totalUsage: 270.4,
    days: [
      { day: '2026-11-20', costs: { ...nothing, deployment: 19.2 } },
      { day: '2026-11-21', costs: { ...nothing, deployment: 8, database: 0.5 } },
    ],
    activeResources: 3,
    paymentMethod: { brand: 'Visa', last4: '4242', expiryMonth: 4, expiryYear: 2030 },
    ...changes,
  };
}

export function mockBillingWorld(changes: Partial<MockBilling> = {}): MockBilling {
  return {
    enabled: true,
    subscription: null,
    provider: {
      name: 'sandbox',
      publishableKey: null,
      testMode: true,
      testCards: [
        { number: '4242424242424242', outcome: 'The payment succeeds.' },
        { number: '4000000000000002', outcome: 'The card is declined.' },
      ],
    },
    payments: [],
    usage: [],
    summary: {
      hasHistory: false,
      months: [],
      percentChange: null,
      totalSpend: 0,
      usageChange: null,
      totalUsage: 0,
      days: [],
      activeResources: 0,
      paymentMethod: null,
    },
    overtaken: false,
    savedCard: {},
    ...changes,
  };
}

const PAYMENT_INTENT_ID = 'pi_mock00000001';
const PAID = { status: 'succeeded', paymentIntentId: PAYMENT_INTENT_ID, message: '' } as const;

export const billingMock = implement(billing, {
  status: ({ ctx }) => ({ enabled: ctx.world.billing.enabled }),
  activeSubscription: ({ ctx }) => ctx.world.billing.subscription,
  subscriptions: ({ ctx }) => [ctx.world.billing.subscription].filter((it) => it !== null),
  provider: ({ ctx }) => ctx.world.billing.provider,
  startPayment: () => ({ clientSecret: `${PAYMENT_INTENT_ID}_secret`, paymentIntentId: PAYMENT_INTENT_ID }),
  payWithSavedCard: ({ ctx }) => ({ ...PAID, ...ctx.world.billing.savedCard }),
  confirmSandboxPayment: () => PAID,
  authenticateSandboxPayment: ({ input }) =>
    input.approve
      ? PAID
      : { ...PAID, status: 'requires_payment_method' as const, message: 'The payment was denied.' },
  subscribe: ({ ctx: { world }, input: { planTier } }) => {
    const made = mockSubscription({ planTier, amount: PLANS[planTier].price });
    if (world.billing.overtaken) return { ...made, status: 'cancelled' as const };
    world.billing.subscription = made;
    return made;
  },
  cancel: ({ ctx }) =>
    Object.assign(ctx.world.billing.subscription ?? mockSubscription(), { cancelAtPeriodEnd: true }),
  resume: () => mockSubscription(),
  payments: ({ ctx, input }) => pageOf(ctx.world.billing.payments, input),
  removeCard: ({ ctx }) => {
    ctx.world.billing.summary.paymentMethod = null;
    return success;
  },
  usage: ({ ctx, input }) => pageOf(ctx.world.billing.usage, input),
  summary: ({ ctx }) => ctx.world.billing.summary,
  limits: ({ ctx: { world } }) => {
    const { enabled, subscription } = world.billing;
    const { name, deployments, storage } = PLANS[subscription?.planTier ?? 'starter'];
    return {
      plan: enabled ? name : NO_PLAN,
      trial: enabled && subscription === null && world.user?.trialActive === true,
      projects: { used: world.projects.length, limit: enabled ? deployments : null },
      setByAdmin: world.billing.setByAdmin ?? [],
      previews: { used: world.previews.length, limit: null },
      workspaces: {
        used: world.workspaces.filter(({ personal }) => !personal).length,
        limit: enabled ? UNPAID_WORKSPACES : MAX_OWNED_WORKSPACES,
      },
      dnsZones: { used: 0, limit: MAX_ZONES },
      databases: { used: world.databases.length, limit: MAX_DATABASES },
      virtualAccounts: { used: world.virtualAccounts.length, limit: MAX_VIRTUAL_ACCOUNTS },
      storage: {
        used: world.files.reduce((bytes, { fileSize }) => bytes + fileSize, 0),
        limit: enabled ? storage : null,
      },
    };
  },
  changes: silence,
});
