import type { VirtualAccount } from '@nephos/contracts';
import { createTestDatabase } from '@nephos/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  GATEWAY,
  LONG,
  openAccount,
  payment,
  quickRail,
  receipt,
  send,
  tally,
} from '../payment-gateway/gateway-fixtures.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { faultsOfLedger } from './ledger-faults.ts';

type Database = Awaited<ReturnType<typeof createTestDatabase>>;

let database: Database;
let worlds: World[];
let ada: Person;
/** Ada at either replica. */
let replicas: Pick<Person, 'rest' | 'rpc'>[];

beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, overrides: { rail: quickRail() } };
  worlds = [await createWorld(options), await createWorld(options)];
  const [first, second] = worlds;
  if (!first || !second) throw new Error('There are two replicas.');
  ada = await first.as('Ada');
  const there = {
    ...ada,
    rest: (route: string, options: Parameters<Person['rest']>[1] = {}) =>
      second.anyone.rest(route, { ...options, headers: { ...options.headers, cookie: ada.cookie } }),
  };
  replicas = [ada, there];
});

afterAll(async () => {
  expect(await faultsOfLedger((worlds[0] as World).deps.db)).toEqual([]);
  await Promise.all(worlds.map((world) => world.close()));
  await database.drop();
});

function atReplica(n: number): Pick<Person, 'rest' | 'rpc'> {
  return replicas[n % replicas.length] ?? ada;
}

function sendMany(count: number, input: (n: number) => object) {
  return Promise.all(Array.from({ length: count }, (_, n) => send(atReplica(n), input(n))));
}

async function balanceOf({ id }: VirtualAccount): Promise<number> {
  return (await ada.rpc.paymentGateway.virtualAccount.query({ id })).balance;
}

test('of fifty sends of the whole balance over two replicas exactly one succeeds', async () => {
  const from = await openAccount(ada, { balance: 12_345 });
  const to = await openAccount(ada);
  const answers = await sendMany(50, () => payment(from, to, 12_345));
  expect(tally(answers)).toEqual({ 201: 1, 422: 49 });
  expect([await balanceOf(from), await balanceOf(to)]).toEqual([0, 12_345]);
});

test('of fifty sends of $10 from $100 exactly ten succeed, each time', async () => {
  const from = await openAccount(ada);
  const to = await openAccount(ada);
  for (let round = 1; round <= (LONG ? 20 : 3); round += 1) {
    const { reference } = await ada.rpc.paymentGateway.receive.mutate({
      ...{ virtualAccountId: from.id, amount: 10_000, senderAccountNumber: '1234' },
      ...{ senderAccountName: 'Sender', senderBankName: 'Bank' },
    });
    const answers = await sendMany(50, () => payment(from, to, 1000));
    expect(tally(answers), reference).toEqual({ 201: 10, 422: 40 });
    expect([await balanceOf(from), await balanceOf(to)]).toEqual([0, round * 10_000]);
  }
});

test('what comes in can be spent at once, and no more: along a chain of accounts', async () => {
  const [a, b, c] = [
    await openAccount(ada, { balance: 100 }),
    await openAccount(ada),
    await openAccount(ada),
  ];
  const answers = await sendMany(50, (n) => (n % 2 ? payment(a, b, 10) : payment(b, c, 10)));
  const balances = [await balanceOf(a), await balanceOf(b), await balanceOf(c)];
  expect(balances.reduce((sum, balance) => sum + balance)).toBe(100);
  expect(balances[0]).toBe(0);
  expect(tally(answers)[201]).toBe(10 + (balances[2] ?? 0) / 10);
});

test('crossed sends neither wait in a circle nor lose a cent', async () => {
  const [x, y] = [await openAccount(ada, { balance: 500 }), await openAccount(ada, { balance: 500 })];
  const began = performance.now();
  const answers = await sendMany(400, (n) => (n % 2 ? payment(x, y, 1) : payment(y, x, 1)));
  expect(tally(answers)).toEqual({ 201: 400 });
  expect([await balanceOf(x), await balanceOf(y)]).toEqual([500, 500]);
  expect(performance.now() - began).toBeLessThan(30_000);
});

test('very many sends into one account all arrive', async () => {
  const count = LONG ? 1000 : 300;
  const senders = await Promise.all(Array.from({ length: 5 }, () => openAccount(ada, { balance: count })));
  const to = await openAccount(ada);
  const answers = await sendMany(count, (n) => payment(senders[n % 5] as VirtualAccount, to, 1));
  expect(tally(answers)).toEqual({ 201: count });
  expect(await balanceOf(to)).toBe(count);
});

test('money comes into an account before it is closed, or not at all', async () => {
  const from = await openAccount(ada, { balance: 1000 });
  const cleo = await (worlds[0] as World).as('Cleo');
  for (let round = 0; round < (LONG ? 400 : 40); round += 1) {
    const to = await openAccount(cleo);
    const close = () => cleo.rest(`POST ${GATEWAY}/virtual-accounts/${to.id}/close`);
    const pay = () =>
      round % 2
        ? send(atReplica(1), payment(from, to, 1))
        : cleo.rest(`POST ${GATEWAY}/transactions/receive`, { body: receipt(to, 1) });
    const [closed, paid] = await Promise.all([close(), pay()]);
    const account = await cleo.rpc.paymentGateway.virtualAccount.query({ id: to.id });
    if (closed.status === 200) {
      expect([paid.status, account.balance, account.closedAt]).toEqual([
        round % 2 ? 422 : 409,
        0,
        expect.any(String),
      ]);
    } else {
      expect(closed).toMatchObject({ status: 409, body: { code: 'ACCOUNT_NOT_EMPTY' } });
      expect([paid.status, account.balance, account.closedAt]).toEqual([201, 1, null]);
      expect((await send(cleo, payment(to, from, 1))).status).toBe(201);
      expect((await close()).status).toBe(200);
    }
  }
});

test('whoever reads meanwhile always sees all the money there is', async () => {
  const eve = await (worlds[1] as World).as('Eve');
  const accounts = await Promise.all(Array.from({ length: 8 }, () => openAccount(eve, { balance: 1000 })));
  const until = Date.now() + (LONG ? 60_000 : 2000);
  const any = () => accounts[Math.floor(Math.random() * 8)] as VirtualAccount;
  const sums = new Set<number>();
  async function move(): Promise<void> {
    while (Date.now() < until) {
      const { status } = await send(eve, payment(any(), any(), 1 + Math.floor(Math.random() * 400)));
      expect([201, 422]).toContain(status);
    }
  }
  async function read(): Promise<void> {
    while (Date.now() < until) {
      const list = await eve.rpc.paymentGateway.virtualAccounts.query();
      expect(list.every(({ balance }) => balance >= 0)).toBe(true);
      sums.add(list.reduce((sum, { balance, pending }) => sum + balance + pending, 0));
    }
  }
  await Promise.all([move(), move(), move(), move(), read(), read()]);
  expect([...sums]).toEqual([8000]);
});
