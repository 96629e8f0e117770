import type { PlanTier } from '@nephos/contracts';
import { createTestDatabase } from '@nephos/db/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createStripeProvider } from '../../src/domains/billing/stripe-provider.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { createWorld, type Person, type RestOptions, type World } from '../world.ts';
import { CARDS } from './billing-fixtures.ts';
import { type StripeServer, startStripeServer } from './stripe-server.ts';
import type { FakeIntent } from './stripe-server-books.ts';

export const ROUTE = 'POST /api/webhooks/stripe';
export const HAD = { status: 200, body: { received: true } };

/** Two replicas over one database, and Stripe, for the tests of one file. */
export function stripeWorlds() {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let stripe: StripeServer;
  let worlds: [World, World];

  beforeAll(async () => {
    database = await createTestDatabase();
    stripe = await startStripeServer();
    const payments = createStripeProvider(stripe.settings, pino({ level: 'silent' }), { timeout: 300 });
    const options = {
      databaseUrl: database.url,
      settings: { stripe: stripe.settings },
      overrides: { payments },
    };
    worlds = [await createWorld(options), await createWorld(options)];
  });

  afterEach(() => {
    stripe.trouble = null;
  });

  afterAll(async () => {
    expect(await faultsOfLedger(worlds[0].deps.db)).toEqual([]);
    await Promise.all(worlds.map((world) => world.close()));
    await stripe.close();
    await database.drop();
  });

  return {
    get databaseUrl() {
      return database.url;
    },
    get stripe() {
      return stripe;
    },
    get worlds() {
      return worlds;
    },
    get db() {
      return worlds[0].deps.db;
    },
    get provider() {
      return worlds[0].deps.domains.billing.provider;
    },

    /** As Stripe delivers: to either replica, without a session. */
    deliver(payload: string, signature: string = stripe.sign(payload), replica = 0) {
      const world = worlds[replica % 2] ?? worlds[0];
      return world.anyone.rest(ROUTE, { body: payload, headers: { 'stripe-signature': signature } });
    },

    /** Pays in the browser, and tells nobody. */
    async payFor(person: Person, planTier: PlanTier = 'starter', card: string = CARDS.success) {
      const { clientSecret, paymentIntentId } = await person.rpc.billing.startPayment.mutate({ planTier });
      const intent = stripe.pay(clientSecret, card);
      return { planTier, paymentIntentId, intent, clientSecret };
    },

    succeeded: (intent: FakeIntent, id?: string) => stripe.event('payment_intent.succeeded', intent, id),

    personAt: (replica: 0 | 1, { cookie }: Person, route: string, options: RestOptions = {}) =>
      worlds[replica].anyone.rest(route, { ...options, headers: { ...options.headers, cookie } }),
  };
}

export async function planOf({ rpc }: Person) {
  return (await rpc.billing.activeSubscription.query())?.planTier;
}
