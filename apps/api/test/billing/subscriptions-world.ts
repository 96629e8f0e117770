import type { Payment, PlanTier, Subscription } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Charge, PaymentProvider } from '../../src/domains/billing/provider.ts';
import { renew } from '../../src/domains/billing/renewal.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { CARDS, makeDue, subscribe } from './billing-fixtures.ts';

/** Milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;

/** A world for the tests of one file, who are asked at its end whether the books are right; and what renews there. */
export function subscriptionsWorld() {
  let world: World;
  let count = 0;

  beforeAll(async () => {
    world = await createWorld();
  });

  afterAll(async () => {
    expect(await faultsOfLedger(world.deps.db)).toEqual([]);
    await world.close();
  });

  return {
    get world() {
      return world;
    },
    get db() {
      return world.deps.db;
    },
    get provider() {
      return world.deps.domains.billing.provider;
    },

    /** Someone new with a subscription that is due. */
    async due(card: string = CARDS.success, planTier: PlanTier = 'starter') {
      count += 1;
      const person = await world.as(`Person-${count}`);
      const { id } = await subscribe(person, planTier, card);
      await makeDue(world.deps.db, id);
      return { person, id, userId: person.user.id, renewalDate: (await read(person, id)).renewalDate };
    },

    renewed: (id: string, by: PaymentProvider = world.deps.domains.billing.provider) =>
      renew({ db: world.deps.db, provider: by }, id),

    /** The provider, with another way to charge; `asked` are the charges that it was asked for. */
    charging(charge: (asked: Charge) => ReturnType<PaymentProvider['charge']>) {
      const asked: Charge[] = [];
      const other: PaymentProvider = {
        ...world.deps.domains.billing.provider,
        charge: (one) => {
          asked.push(one);
          return charge(one);
        },
      };
      return { asked, other };
    },

    async nextOf(renewalDate: string, anchorDay?: number): Promise<string> {
      const day = anchorDay ?? new Date(renewalDate).getUTCDate();
      const { rows } = await sql<{
        next: string;
      }>`select next_renewal(${renewalDate}, ${day}) as next`.execute(world.deps.db);
      return rows[0]?.next ?? '';
    },
  };
}

export async function read({ rpc }: Pick<Person, 'rpc'>, id: string): Promise<Subscription> {
  const found = (await rpc.billing.subscriptions.query()).find((one) => one.id === id);
  if (!found) throw new Error('There is no such subscription.');
  return found;
}

export async function newest({ rpc }: Pick<Person, 'rpc'>): Promise<Payment | undefined> {
  return (await rpc.billing.payments.query({ limit: 1 }))[0];
}
