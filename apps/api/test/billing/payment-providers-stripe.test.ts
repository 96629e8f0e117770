import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Intent, PaymentProvider } from '../../src/domains/billing/provider.ts';
import { createStripeProvider } from '../../src/domains/billing/stripe-provider.ts';
import { CARDS } from './billing-fixtures.ts';
import { type StripeServer, startStripeServer } from './stripe-server.ts';

let stripe: StripeServer;
let provider: PaymentProvider;
const logged: string[] = [];
const log = pino(
  new Writable({
    write(line, _encoding, done) {
      logged.push(String(line));
      done();
    },
  }),
);

beforeAll(async () => {
  stripe = await startStripeServer();
  provider = createStripeProvider(stripe.settings, log, { timeout: 300 });
});

afterAll(() => stripe.close());

let count = 0;
function newKey(): string {
  count += 1;
  return `key-${count}`;
}

test('finds a charge whose key was forgotten', async () => {
  const customerId = await provider.createCustomer({ userId: 'b', email: 'b@example.com', name: '' });
  const purpose = { userId: 'b', planTier: 'starter' as const };
  const intent = (await provider.createIntent({
    customerId,
    amount: 2900,
    purpose,
    key: newKey(),
  })) as Intent;
  stripe.pay(intent.clientSecret, CARDS.success);
  const { card } = (await provider.readIntent(intent.id)) as Intent;
  const key = newKey();
  const charge = {
    customerId,
    amount: 2900,
    purpose: { ...purpose, chargeKey: key },
    cardId: card?.id ?? '',
  };
  const first = await provider.charge({ ...charge, key, maybeMade: false });
  // Under another key, Stripe would make another payment.
  stripe.calls.length = 0;
  expect(await provider.charge({ ...charge, key, maybeMade: true })).toEqual(first);
  expect(stripe.calls).toEqual(['GET /v1/payment_intents']);
});

test.each(['gone', 'failing', 'silent'] as const)(
  'is away when it is %s, and says nothing of it',
  async (trouble) => {
    stripe.trouble = trouble;
    const began = Date.now();
    const reading = provider.readIntent('pi_000000000000000000000000');
    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'UNAVAILABLE' });
    expect(Date.now() - began).toBeLessThan(5000);
    stripe.trouble = null;
  },
);

test('is away when it does not take our key', async () => {
  const keys = { ...stripe.settings, secretKey: 'sk_test_other' };
  const other = createStripeProvider(keys, log);
  await expect(other.readIntent('pi_00000000')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
});

test('declines no card for what is our fault', async () => {
  const purpose = { userId: 'c', planTier: 'starter' as const };
  const charge = { customerId: 'cus_1', cardId: 'pm_1', purpose, key: newKey(), maybeMade: false };
  await expect(provider.charge({ ...charge, amount: 1 })).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
});

test('leaves nothing in the log that opens anything', () => {
  expect(logged.join('')).toContain('payment provider');
  expect(logged.join('')).not.toMatch(/_secret_|sk_test_|4242/);
});
