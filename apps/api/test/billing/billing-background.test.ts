import { createDb, createPool } from '@nephos/db';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { createWorld, type Person } from '../world.ts';
import { chargedTo, pay } from './billing-fixtures.ts';
import { read, subscriptionsWorld } from './subscriptions-world.ts';

const here = subscriptionsWorld();

afterEach(() => void vi.restoreAllMocks());

/** Paid, and nobody told us of it. */
async function paidUnseen(name: string): Promise<{ person: Person; paymentIntentId: string }> {
  const person = await here.world.as(name);
  const { paymentIntentId } = await pay(person, 'professional');
  await sql`update payment_intents set created_at = now() - interval '11 minutes' where id = ${paymentIntentId}`.execute(
    here.db,
  );
  return { person, paymentIntentId };
}

test('a server that starts renews what is due, and takes on what was paid and never recorded', async () => {
  const { person, id, userId } = await here.due();
  const { person: left } = await paidUnseen('Left');
  const running = await createWorld({ databaseUrl: here.world.databaseUrl, running: true });
  const { renewals } = running.deps.domains.billing;
  await Promise.all([renewals.enqueueDue(), renewals.enqueueDue(), renewals.claim(), renewals.claim()]);
  await vi.waitFor(async () => expect((await chargedTo(here.db, userId)).payments).toBe(2), {
    timeout: 60_000,
  });
  await vi.waitFor(async () => expect((await read(person, id)).status).toBe('active'), { timeout: 60_000 });
  await running.close();
  expect(await chargedTo(here.db, left.user.id)).toEqual({ payments: 1, booked: 9900 });
  expect(await left.rpc.billing.activeSubscription.query()).toMatchObject({ planTier: 'professional' });
});

test('the trouble of one person holds up nobody else', async () => {
  const before = await paidUnseen('Before');
  const troubled = await paidUnseen('Troubled');
  const after = await paidUnseen('After');
  const { provider, renewals } = here.world.deps.domains.billing;
  const { readIntent } = provider;
  vi.spyOn(provider, 'readIntent').mockImplementation((id) =>
    id === troubled.paymentIntentId ? Promise.reject(new Error('out of the ordinary')) : readIntent(id),
  );
  await renewals.claim();
  for (const { person } of [before, after]) {
    expect(await person.rpc.billing.activeSubscription.query()).toMatchObject({ planTier: 'professional' });
  }
  expect(await troubled.person.rpc.billing.activeSubscription.query()).toBeNull();
  vi.restoreAllMocks();
  await renewals.claim();
  expect(await troubled.person.rpc.billing.activeSubscription.query()).not.toBeNull();
});

test('a server is ready whether or not it can read what is due', async () => {
  const other = createDb(createPool({ url: here.world.databaseUrl, max: 1 }));
  const running = await other.transaction().execute(async (trx) => {
    await sql`lock table subscriptions in access exclusive mode`.execute(trx);
    return createWorld({ databaseUrl: here.world.databaseUrl, running: true });
  });
  expect((await running.anyone.rest('GET /readyz')).status).toBe(200);
  await running.close();
  await other.destroy();
});
