import { randomUUID } from 'node:crypto';
import { MAX_FUNDS, MAX_SEND } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOfLedger } from '../ledger/ledger-faults.ts';
import { createWorld, type Person, type World } from '../world.ts';
import {
  elsewhere,
  fund,
  GATEWAY,
  openAccount,
  payment,
  quickRail,
  receipt,
  send,
  settled,
} from './gateway-fixtures.ts';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld({ running: true, overrides: { rail: quickRail() } });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(async () => {
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
  await world.close();
});

const NOBODYS = '0197a000-0000-7000-8000-000000000001';

describe('amounts', () => {
  const WHOLE_CENTS = 'Amount must be a whole number of cents, e.g. 1050 for $10.50.';
  const BOUNDS = 'Amount must be between 1 cent and $999,999,999.99.';

  test.each([
    ['1.5', WHOLE_CENTS],
    ['0.29', WHOLE_CENTS],
    ['"5"', WHOLE_CENTS],
    ['1e400', WHOLE_CENTS],
    ['null', WHOLE_CENTS],
    ['true', WHOLE_CENTS],
    ['[1]', WHOLE_CENTS],
    ['0', BOUNDS],
    ['-1', BOUNDS],
    ['100000000000', BOUNDS],
    ['9007199254740993', BOUNDS],
  ])('refuse %s by both doors, and say what is wanted', async (amount, message) => {
    const field = { path: 'amount', message };
    const refusal = { code: 'VALIDATION', message, fields: expect.arrayContaining([field]) };
    for (const [path, input] of [
      ['send', payment({ id: NOBODYS }, elsewhere(), 1)],
      ['receive', receipt({ id: NOBODYS }, 1)],
    ] as const) {
      const body = JSON.stringify(input).replace('"amount":1', `"amount":${amount}`);
      const byRest = await ada.rest(`POST ${GATEWAY}/transactions/${path}`, { body });
      expect(byRest, path).toMatchObject({ status: 400, body: refusal });
      const byRpc = await ada.rest(`POST /trpc/paymentGateway.${path}`, { body });
      expect(byRpc.status, path).toBe(400);
      expect(JSON.stringify(byRpc.body), path).toContain(JSON.stringify(message));
    }
  });

  test('are not left out', async () => {
    const { amount: _, ...body } = receipt({ id: NOBODYS }, 1);
    const answer = await ada.rest(`POST ${GATEWAY}/transactions/receive`, { body });
    expect(answer).toMatchObject({ status: 400, body: { message: 'Amount is required.' } });
  });

  test('go from one cent to the greatest', async () => {
    const from = await openAccount(ada, { balance: MAX_SEND });
    const to = await openAccount(ada);
    expect(await send(ada, payment(from, to, 1))).toMatchObject({ status: 201, body: { amount: 1 } });
    await ada.rpc.paymentGateway.receive.mutate(receipt(from, 1));
    expect(await send(ada, payment(from, to, MAX_SEND))).toMatchObject({
      status: 201,
      body: { amount: 99_999_999_999, status: 'completed' },
    });
    const [received, sent] = await ada.rpc.paymentGateway.virtualAccounts.query({ limit: 2 });
    expect([received?.balance, sent?.balance]).toEqual([MAX_SEND + 1, 0]);
  });
});

describe('a send', () => {
  test('to an account of this bank is there at once, and both see it under one reference', async () => {
    const from = await openAccount(ada, { balance: 5000 });
    const to = await openAccount(bob, { bankName: 'Second  Bank' });
    const input = { ...payment(from, { ...to, bankName: 'second bank' }, 1999), description: 'Rent\nMay' };
    const sent = await ada.rpc.paymentGateway.send.mutate(input);
    expect(sent).toMatchObject({
      virtualAccountId: from.id,
      type: 'send',
      status: 'completed',
      reference: expect.stringMatching(/^NP-[0-9A-HJKMNP-TV-Z]{16}$/),
      description: 'Rent\nMay',
      amount: 1999,
      senderAccountNumber: from.accountNumber,
      receiverAccountName: 'Receiver',
      failure: '',
      settledAt: sent.createdAt,
    });
    const [received] = await bob.rpc.paymentGateway.transactions.query();
    expect(received).toEqual({
      ...sent,
      id: expect.any(String),
      virtualAccountId: to.id,
      type: 'receive',
      receiverAccountName: 'Purse',
      receiverBankName: 'Second  Bank',
    });
    expect(await ada.rpc.paymentGateway.virtualAccount.query({ id: from.id })).toMatchObject({
      balance: 3001,
    });
    // Test money stays test money, wherever it goes.
    expect(await bob.rpc.paymentGateway.virtualAccount.query({ id: to.id })).toMatchObject({
      balance: 1999,
      holdsTestFunds: true,
    });
  });

  test('to one of our numbers at another bank leaves this bank', async () => {
    const from = await openAccount(ada, { balance: 500 });
    const to = await openAccount(bob);
    const sent = await ada.rpc.paymentGateway.send.mutate(payment(from, { ...to, bankName: 'Other' }, 100));
    expect(sent).toMatchObject({ status: 'pending', settledAt: null });
    expect(await settled(ada, sent.id)).toMatchObject({ status: 'completed' });
    expect(await bob.rpc.paymentGateway.virtualAccount.query({ id: to.id })).toMatchObject({ balance: 0 });
  });

  test('is refused and changes nothing where the money is not there, or goes to itself', async () => {
    const from = await openAccount(ada, { balance: 100 });
    const to = await openAccount(bob);
    for (const target of [to, elsewhere()]) {
      expect(await send(ada, payment(from, target, 101))).toMatchObject({
        status: 422,
        body: { code: 'INSUFFICIENT_FUNDS', message: 'Insufficient funds.' },
      });
    }
    expect(await send(ada, payment(from, from, 1))).toMatchObject({
      status: 422,
      body: { code: 'SAME_ACCOUNT' },
    });
    expect(await send(ada, payment({ id: 'x' }, to, 1))).toMatchObject({ status: 400 });
    expect((await ada.rpc.paymentGateway.statement.query({ id: from.id })).lines).toHaveLength(1);
  });

  test('is refused where the receiver could not hold it, and so is a receipt', async () => {
    const from = await openAccount(ada, { balance: 1000 });
    const to = await openAccount(bob);
    await fund(world.deps.db, to.id, MAX_FUNDS - MAX_SEND);
    await bob.rpc.paymentGateway.receive.mutate(receipt(to, MAX_SEND));
    const limit = { status: 422, body: { code: 'LIMIT' } };
    expect(await send(ada, payment(from, to, 1))).toMatchObject(limit);
    const receiving = () => bob.rest(`POST ${GATEWAY}/transactions/receive`, { body: receipt(to, 1) });
    expect(await receiving()).toMatchObject(limit);
    // Money on its way may come back: its room is kept.
    const body = payment(to, elsewhere('ACCOUNT-CLOSED-0001'), MAX_SEND);
    const sent = await bob.rpc.paymentGateway.send.mutate(body);
    expect(await receiving()).toMatchObject(limit);
    await settled(bob, sent.id);
    expect(await bob.rpc.paymentGateway.virtualAccount.query({ id: to.id })).toMatchObject({
      balance: MAX_FUNDS,
    });
  });

  test.each([
    ['receiverAccountNumber', ''],
    ['receiverAccountNumber', 'abc'],
    ['receiverAccountNumber', 'a b c d'],
    ['receiverAccountNumber', 'x'.repeat(35)],
    ['receiverAccountName', ' '],
    ['receiverAccountName', undefined],
    ['receiverBankName', ''],
    ['receiverBankName', 'x'.repeat(101)],
    ['description', 'x'.repeat(501)],
    ['description', 'a\u0001b'],
    ['virtualAccountId', 'nobody'],
  ])('is malformed with %s %j', async (field, value) => {
    const body = { ...payment({ id: NOBODYS }, elsewhere(), 1), [field]: value };
    expect(await send(ada, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', fields: [{ path: field }] },
    });
  });
});

describe('an Idempotency-Key', () => {
  test('gives the first answer of a send again, for ever', async () => {
    const from = await openAccount(ada, { balance: 1000 });
    const to = await openAccount(bob);
    for (const target of [to, elsewhere()]) {
      const key = randomUUID();
      const first = await send(ada, payment(from, target, 100), key);
      if (target !== to) await settled(ada, (first.body as { id: string }).id);
      // As the weekly sweep leaves it.
      await world.deps.db.deleteFrom('idempotencyKeys').execute();
      const again = await send(ada, payment(from, target, 100), `"${key}"`);
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(await send(ada, payment(from, target, 101), key)).toMatchObject({
        status: 422,
        body: { code: 'IDEMPOTENCY_KEY_REUSED' },
      });
    }
    expect(await ada.rpc.paymentGateway.virtualAccount.query({ id: from.id })).toMatchObject({
      balance: 800,
    });
  });

  test('gives a refusal again, also when the money has come meanwhile', async () => {
    const from = await openAccount(ada);
    const key = randomUUID();
    const refused = { status: 422, body: { code: 'INSUFFICIENT_FUNDS' } };
    expect(await send(ada, payment(from, elsewhere(), 5), key)).toMatchObject(refused);
    await ada.rpc.paymentGateway.receive.mutate(receipt(from, 5));
    const again = await send(ada, payment(from, elsewhere(), 5), key);
    expect(again).toMatchObject(refused);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await send(ada, payment(from, elsewhere(), 4), key)).body).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('is one effect for many at once, and is nobody else’s', async () => {
    const [from, to, foreign] = [
      await openAccount(ada, { balance: 1000 }),
      await openAccount(bob),
      await openAccount(bob, { balance: 10 }),
    ];
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(ada, payment(from, to, 100), key)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
    expect((await send(bob, payment(foreign, to, 10), key)).status).toBe(201);
    expect(await bob.rpc.paymentGateway.virtualAccount.query({ id: to.id })).toMatchObject({ balance: 110 });
  });

  test.each(['here', 'elsewhere'])(
    'of two different sends at once, %s, serves one of them',
    async (where) => {
      const [a, b] = [await openAccount(ada, { balance: 10 }), await openAccount(ada, { balance: 10 })];
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => {
          const [from, to] = n % 2 ? [a, b] : [b, a];
          return send(ada, payment(from, where === 'here' ? to : elsewhere(), 10), key);
        }),
      );
      const bodies = answers
        .filter(({ status }) => status === 201)
        .map(({ body }) => (body as { id: string }).id);
      expect(new Set(bodies).size).toBe(1);
      for (const { status, body } of answers) {
        if (status !== 201)
          expect({ status, body }).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
      }
    },
  );
});
