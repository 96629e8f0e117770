import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOG_OPTIONS } from '../../src/platform/log.ts';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { CARDS, confirm, pay, subscribe } from './billing-fixtures.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
});

afterAll(async () => {
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
  await world.close();
});

describe('the card form of the sandbox', () => {
  test('says which cards there are', async () => {
    const provider = await ada.rpc.billing.provider.query();
    expect(provider).toMatchObject({ name: 'sandbox', publishableKey: null, testMode: true });
    expect(provider.testCards.map(({ number }) => number).sort()).toEqual(Object.values(CARDS).sort());
    expect((await ada.rest('GET /api/billing/provider')).body).toEqual(provider);
  });

  test.each([
    [{ cardNumber: '4242' }, 400],
    [{ cardNumber: '4242x42424242424' }, 400],
    [{ cardNumber: 4242424242424242 }, 400],
    [{ expiryMonth: 0 }, 400],
    [{ expiryMonth: 13 }, 400],
    [{ expiryYear: 26 }, 400],
    [{ expiryMonth: '12' }, 400],
    [{ cvc: '12' }, 400],
    [{ cvc: '12345' }, 400],
  ])('refuses %j', async (changes, status) => {
    const { clientSecret } = await ada.rpc.billing.startPayment.mutate({ planTier: 'enterprise' });
    expect(await confirm(ada, { clientSecret, ...changes })).toMatchObject({
      status,
      body: { code: 'VALIDATION' },
    });
  });

  test.each([
    [{ cardNumber: '4111111111111111' }, /isn't a test card/],
    [{ cardNumber: CARDS.declined }, /^Your card was declined\.$/],
    [{ cardNumber: CARDS.insufficientFunds }, /^Your card has insufficient funds\.$/],
    [{ expiryYear: 2020 }, /^Your card's expiration year is invalid\.$/],
  ])('declines %j, and takes another', async (changes, message) => {
    const person = await world.as(`Payer-${Object.keys(changes)[0]}-${String(message).length}`);
    const { clientSecret, paymentIntentId } = await person.rpc.billing.startPayment.mutate({
      planTier: 'starter',
    });
    expect(await confirm(person, { clientSecret, ...changes })).toMatchObject({
      status: 200,
      body: { status: 'requires_payment_method', paymentIntentId, message: expect.stringMatching(message) },
    });
    expect((await confirm(person, { clientSecret })).body).toMatchObject({
      status: 'succeeded',
      message: '',
    });
    // Paid is paid, whatever card comes after.
    const after = await confirm(person, { clientSecret, cardNumber: CARDS.declined });
    expect(after.body).toMatchObject({ status: 'succeeded' });
    expect(await person.rpc.billing.payments.query()).toEqual([]);
  });

  test('takes a card until the end of its month', async () => {
    const { rows } = await sql<{ year: number; month: number }>`
      select extract(year from d)::int as year, extract(month from d)::int as month
      from unnest(array[now() at time zone 'UTC', (now() at time zone 'UTC') - interval '1 month']) d`.execute(
      world.deps.db,
    );
    const mia = await world.as('Mia');
    const { clientSecret } = await mia.rpc.billing.startPayment.mutate({ planTier: 'starter' });
    const [now, before] = rows.map(({ year, month }) => ({ expiryYear: year, expiryMonth: month }));
    expect((await confirm(mia, { clientSecret, ...before })).body).toMatchObject({
      status: 'requires_payment_method',
      message: expect.stringMatching(/^Your card's expiration (month|year) is invalid\.$/),
    });
    expect((await confirm(mia, { clientSecret, ...now })).body).toMatchObject({ status: 'succeeded' });
  });

  test('keeps no number and no security code anywhere', async () => {
    const noa = await world.as('Noa');
    await subscribe(noa, 'starter', CARDS.asksOnce);
    await pay(noa, 'professional', '4111111111111111');
    const { rows } = await sql<{ name: string; found: boolean }>`
      select c.relname as name, query_to_xml(format('select * from %I', c.relname), true, false, '')::text
        ~ '4000002500003155|4111111111111111' as found
      from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(world.deps.db);
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter(({ found }) => found)).toEqual([]);
  });
});

test('nothing of a card is logged, whatever the level', async () => {
  const lines: string[] = [];
  const log = pino({ ...LOG_OPTIONS, level: 'trace' }, { write: (line: string) => lines.push(line) });
  const settings = { logLevel: 'debug' };
  const talkative = await createWorld({ databaseUrl: world.databaseUrl, log, settings });
  const rita = await talkative.as('Rita');
  const { clientSecret } = await rita.rpc.billing.startPayment.mutate({ planTier: 'starter' });
  await confirm(rita, { clientSecret, cardNumber: '4111111111111111', cvc: '9876' });
  await confirm(rita, { clientSecret, cardNumber: '411111111111111x', cvc: '9876' });
  await confirm(rita, { clientSecret, cvc: '9876' });
  await talkative.close();
  expect(lines.join('')).toContain('/api/billing/sandbox/confirm');
  expect(lines.join('')).not.toMatch(/411111|424242|"9876"|_secret_/);
});

describe('the card', () => {
  test('is shown, and kept for as long as a subscription needs it', async () => {
    const pat = await world.as('Pat');
    const missing = { status: 404, body: { code: 'NOT_FOUND', message: 'There is no card to remove.' } };
    expect(await pat.rest('DELETE /api/billing/card')).toMatchObject(missing);
    await subscribe(pat, 'starter');
    expect(await pat.rest('DELETE /api/billing/card')).toMatchObject({
      status: 409,
      body: {
        code: 'CARD_IN_USE',
        message: 'Your subscription renews with this card. Cancel the subscription first.',
      },
    });
    await pat.rpc.billing.cancel.mutate();
    expect(await pat.rest('DELETE /api/billing/card')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await pat.rest('DELETE /api/billing/card')).toMatchObject(missing);
    expect(await pat.rest('POST /api/subscriptions/resume')).toMatchObject({
      status: 409,
      body: { code: 'NO_CARD', message: 'There is no saved card to renew with.' },
    });
    const { rows } = await sql`
      select 1 from sandbox_cards c join payment_customers p on p.customer_id = c.customer_id
      where p.user_id = ${pat.user.id}`.execute(world.deps.db);
    expect(rows).toEqual([]);
  });
});
