import type { SandboxOutcome } from '@nephos/contracts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noAudit } from '../../src/core/call-audit.ts';
import type { Intent, Order, PaymentProvider } from '../../src/domains/billing/provider.ts';
import {
  authenticateSandboxPayment,
  confirmSandboxPayment,
} from '../../src/domains/billing/sandbox-confirm.ts';
import { createSandboxProvider } from '../../src/domains/billing/sandbox-provider.ts';
import { createStripeProvider } from '../../src/domains/billing/stripe-provider.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { CARDS, cardInput } from './billing-fixtures.ts';
import { type StripeServer, startStripeServer } from './stripe-server.ts';

/** A provider, and what a browser does there. */
interface Subject {
  provider: PaymentProvider;
  /** Makes it a payment that the person began here. */
  own(intent: Intent): Promise<unknown>;
  pay(intent: Intent, cardNumber: string): Promise<SandboxOutcome['status']>;
  authenticate(intent: Intent, approve: boolean): Promise<SandboxOutcome['status']>;
}

let world: World;
let ada: Person;
let stripe: StripeServer;
const log = pino({ level: 'silent' });

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  stripe = await startStripeServer();
});

afterAll(async () => {
  await stripe.close();
  await world.close();
});

function sandbox(): Subject {
  const { db, secrets } = world.deps;
  // The sandbox's form is used by whom the payment is of.
  const ctx = { db, ownerId: ada.user.id, audit: noAudit };
  const provider = createSandboxProvider({ db, secrets });
  const parts = { secrets, provider };
  const own = ({ id }: Intent) =>
    db
      .insertInto('paymentIntents')
      .values({ id, userId: ada.user.id, provider: 'sandbox', planTier: 'starter', amount: 2900 })
      .onConflict((known) => known.doNothing())
      .execute();
  return {
    provider,
    own,
    async pay(intent, cardNumber) {
      await own(intent);
      const { clientSecret } = intent;
      return (await confirmSandboxPayment(ctx, parts, { clientSecret, ...cardInput(cardNumber) })).status;
    },
    authenticate: async ({ clientSecret }, approve) =>
      (await authenticateSandboxPayment(ctx, parts, { clientSecret, approve })).status,
  };
}

function overStripe(): Subject {
  // What the server says is one of these.
  const statusOf = ({ status }: { status: string }) => status as SandboxOutcome['status'];
  return {
    provider: createStripeProvider(stripe.settings, log, { timeout: 300 }),
    own: async () => {},
    pay: async ({ clientSecret }, cardNumber) => statusOf(stripe.pay(clientSecret, cardNumber)),
    authenticate: async ({ clientSecret }, approve) => statusOf(stripe.authenticate(clientSecret, approve)),
  };
}

let count = 0;
function newKey(): string {
  count += 1;
  return `key-${process.pid}-${count}`;
}

describe.each([
  ['the sandbox', sandbox],
  ['Stripe', overStripe],
])('%s', (name, open) => {
  let subject: Subject;
  let provider: PaymentProvider;
  let customerId: string;

  beforeAll(async () => {
    subject = open();
    provider = subject.provider;
    customerId = await provider.createCustomer(customer());
  });

  function customer() {
    return { userId: ada.user.id, email: ada.user.email, name: 'Ada Tester' };
  }

  function order(changes: Partial<Order> = {}): Order {
    const purpose = { userId: ada.user.id, planTier: 'starter' as const };
    return { customerId, amount: 2900, purpose, key: newKey(), ...changes };
  }

  /** A payment by a customer who is known. */
  async function begun(ordered: Order): Promise<Intent> {
    return (await provider.createIntent(ordered)) as Intent;
  }

  async function paidWith(cardNumber: string): Promise<Intent> {
    const intent = await begun(order());
    if ((await subject.pay(intent, cardNumber)) === 'requires_action')
      await subject.authenticate(intent, true);
    return (await provider.readIntent(intent.id)) as Intent;
  }

  test('says what it is', () => {
    expect(provider.livemode).toBe(false);
    expect(provider.info.testMode).toBe(true);
    expect(provider.info.name).toBe(name === 'Stripe' ? 'stripe' : 'sandbox');
  });

  test('knows a person once', async () => {
    expect(await provider.createCustomer(customer())).toBe(customerId);
  });

  test('makes a payment as it was ordered, once for a key', async () => {
    const ordered = order({ amount: 9900 });
    const intent = await begun(ordered);
    expect(intent).toEqual({
      id: expect.stringMatching(/^pi_\w{8,64}$/),
      status: 'requires_payment_method',
      amountReceived: 0,
      currency: 'usd',
      livemode: false,
      metadata: { userId: ada.user.id, planTier: 'starter' },
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w{12,}$/),
      card: null,
      paidAt: null,
      failure: '',
    });
    expect(await begun(ordered)).toEqual(intent);
    expect(await provider.readIntent(intent.id)).toEqual(intent);
    expect((await begun(order())).id).not.toBe(intent.id);
  });

  test('makes no payment for a customer that it does not know, and the same person a customer anew', async () => {
    const gone = 'cus_000000000000000000000000';
    expect(await provider.createIntent(order({ customerId: gone }))).toBeNull();
    const anew = await provider.createCustomer({ ...customer(), replaces: gone });
    expect(anew).not.toBe(customerId);
    expect(await provider.createCustomer({ ...customer(), replaces: gone })).toBe(anew);
    expect(await provider.createIntent(order({ customerId: anew }))).not.toBeNull();
  });

  test('declines a charge to a customer who is gone, also where it may have been made', async () => {
    for (const maybeMade of [false, true]) {
      const charge = { ...order({ customerId: 'cus_000000000000000000000000' }), cardId: 'pm_1', maybeMade };
      expect(await provider.charge(charge)).toMatchObject({ status: 'declined', intentId: null });
    }
  });

  test('knows no payment that it did not make', async () => {
    expect(await provider.readIntent('pi_000000000000000000000000')).toBeNull();
  });

  test.each([
    [CARDS.success, 'Visa', '4242'],
    [CARDS.mastercard, 'Mastercard', '4444'],
    [CARDS.renewalDeclined, 'Visa', '0341'],
  ])('is paid by %s, of which it shows the end', async (number, brand, last4) => {
    const paid = await paidWith(number);
    expect(paid).toMatchObject({
      status: 'succeeded',
      amountReceived: 2900,
      failure: '',
      paidAt: expect.stringMatching(/^\d{4}-.*Z$/),
      card: { id: expect.stringMatching(/^pm_/), brand, last4, expiryMonth: 12, expiryYear: 2099 },
    });
  });

  test.each([
    [CARDS.declined, 'Your card was declined.'],
    [CARDS.insufficientFunds, 'Your card has insufficient funds.'],
    [CARDS.expired, 'Your card has expired.'],
    [CARDS.incorrectCvc, "Your card's security code is incorrect."],
  ])('declines %s, and takes another card for the same payment', async (number, failure) => {
    const intent = await begun(order());
    expect(await subject.pay(intent, number)).toBe('requires_payment_method');
    expect(await provider.readIntent(intent.id)).toMatchObject({
      ...{ status: 'requires_payment_method', amountReceived: 0, card: null, failure },
    });
    expect(await subject.pay(intent, CARDS.success)).toBe('succeeded');
    expect(await provider.readIntent(intent.id)).toMatchObject({ amountReceived: 2900, failure: '' });
  });

  test.each([CARDS.asksOnce, CARDS.asksAlways])('lets the bank ask the owner of %s', async (number) => {
    const denied = await begun(order());
    expect(await subject.pay(denied, number)).toBe('requires_action');
    expect(await provider.readIntent(denied.id)).toMatchObject({
      status: 'requires_action',
      amountReceived: 0,
    });
    expect(await subject.authenticate(denied, false)).toBe('requires_payment_method');
    expect((await provider.readIntent(denied.id))?.failure).toMatch(/unable to authenticate/);
    expect(await paidWith(number)).toMatchObject({ status: 'succeeded', amountReceived: 2900 });
  });

  async function chargeWith(cardNumber: string, changes: { key?: string; maybeMade?: boolean } = {}) {
    const { card } = await paidWith(cardNumber);
    const key = changes.key ?? newKey();
    const purpose = { ...order().purpose, chargeKey: key };
    const charge = {
      ...order({ key, purpose }),
      cardId: card?.id ?? '',
      maybeMade: changes.maybeMade ?? false,
    };
    return { charge, charged: await provider.charge(charge) };
  }

  test.each([CARDS.success, CARDS.asksOnce])('charges %s again, once for a key', async (number) => {
    const { charge, charged } = await chargeWith(number);
    expect(charged).toMatchObject({
      status: 'succeeded',
      intent: { status: 'succeeded', amountReceived: 2900, metadata: { chargeKey: charge.key } },
    });
    expect(await provider.charge(charge)).toEqual(charged);
    expect(await provider.charge({ ...charge, maybeMade: true })).toEqual(charged);
    expect(await provider.findCharge(charge)).toEqual(charged);
  });

  test('finds no charge that it did not make', async () => {
    const asked = { customerId, key: newKey() };
    expect(await provider.findCharge(asked)).toBeNull();
    expect(await provider.findCharge({ ...asked, customerId: 'cus_000000000000000000000000' })).toBeNull();
  });

  test.each([
    [CARDS.renewalDeclined, 'Your card was declined.'],
    [CARDS.asksAlways, 'Your card was declined. This transaction requires authentication.'],
  ])('does not charge %s without its owner', async (number, failure) => {
    const { charge, charged } = await chargeWith(number);
    expect(charged).toEqual({ status: 'declined', intentId: expect.stringMatching(/^pi_/), failure });
    expect(await provider.charge({ ...charge, maybeMade: true })).toEqual(charged);
    expect(await provider.findCharge(charge)).toEqual(charged);
  });

  describe('a payment by a card that was kept', () => {
    async function payWithKept(cardNumber: string) {
      const cardId = (await paidWith(cardNumber)).card?.id ?? '';
      const intent = await begun(order());
      return { cardId, intent, paid: await provider.payWith(intent.id, cardId) };
    }

    test.each([CARDS.success, CARDS.asksOnce])('succeeds with %s, once', async (number) => {
      const { cardId, intent, paid } = await payWithKept(number);
      expect(paid).toMatchObject({
        ...{ id: intent.id, status: 'succeeded', amountReceived: 2900, failure: '', card: { id: cardId } },
        ...{ metadata: { userId: ada.user.id, planTier: 'starter' } },
      });
      expect(await provider.payWith(intent.id, cardId)).toEqual(paid);
      expect(await provider.readIntent(intent.id)).toEqual(paid);
    });

    test("is the bank's to ask about, and the card stays when its owner denies", async () => {
      const { cardId, intent, paid } = await payWithKept(CARDS.asksAlways);
      expect(paid).toMatchObject({ status: 'requires_action', amountReceived: 0 });
      await subject.own(intent);
      expect(await subject.authenticate(intent, false)).toBe('requires_payment_method');
      expect(await provider.payWith(intent.id, cardId)).toMatchObject({ status: 'requires_action' });
      expect(await subject.authenticate(intent, true)).toBe('succeeded');
      expect(await provider.readIntent(intent.id)).toMatchObject({
        amountReceived: 2900,
        card: { id: cardId },
      });
    });

    test('is declined where the card is, and takes another card or the same again', async () => {
      const { intent, paid } = await payWithKept(CARDS.renewalDeclined);
      expect(paid).toMatchObject({
        ...{ status: 'requires_payment_method', amountReceived: 0, failure: 'Your card was declined.' },
      });
      const another = (await paidWith(CARDS.success)).card?.id ?? '';
      expect(await provider.payWith(intent.id, another)).toMatchObject({ status: 'succeeded', failure: '' });
    });

    test('may be begun with another card, and ended with the one that was kept', async () => {
      const cardId = (await paidWith(CARDS.success)).card?.id ?? '';
      const intent = await begun(order());
      expect(await subject.pay(intent, CARDS.declined)).toBe('requires_payment_method');
      expect(await provider.payWith(intent.id, cardId)).toMatchObject({ status: 'succeeded' });
      // Another card after that neither pays twice nor has the one that was kept forgotten.
      const next = await begun(order());
      expect(await provider.payWith(next.id, cardId)).toMatchObject({ status: 'succeeded' });
    });

    test('says that a card is gone, and knows no payment of others', async () => {
      const { card } = await paidWith(CARDS.success);
      const intent = await begun(order());
      await provider.forgetCard(card?.id ?? '');
      for (const cardId of [card?.id ?? '', 'pm_000000000000000000000000']) {
        expect(await provider.payWith(intent.id, cardId)).toMatchObject({
          ...{ status: 'requires_payment_method', amountReceived: 0 },
          failure: 'The card can no longer be charged.',
        });
      }
      expect(await provider.payWith('pi_000000000000000000000000', 'pm_1')).toBeNull();
    });
  });

  test('forgets a card, and charges it no more', async () => {
    const { card } = await paidWith(CARDS.success);
    await provider.forgetCard(card?.id ?? '');
    await provider.forgetCard(card?.id ?? '');
    const charged = await provider.charge({ ...order(), cardId: card?.id ?? '', maybeMade: false });
    expect(charged).toMatchObject({ status: 'declined', failure: 'The card can no longer be charged.' });
  });
});
