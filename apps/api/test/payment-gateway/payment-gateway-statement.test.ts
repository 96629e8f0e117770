import {
  MAX_SEARCHED_LINES,
  type StatementLine,
  type StatementLines,
  type VirtualAccount,
} from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { elsewhere, GATEWAY, openAccount, payment, quickRail, receipt, settled } from './gateway-fixtures.ts';

let world: World;
let ada: Person;
let account: VirtualAccount;
const MONTH = new Date().toISOString().slice(0, 7);

beforeAll(async () => {
  world = await createWorld({ running: true, overrides: { rail: quickRail() } });
  ada = await world.as('Ada');
  account = await openAccount(ada, { balance: 10_000 });
  const gateway = ada.rpc.paymentGateway;
  const rent = await openAccount(ada);
  await gateway.send.mutate({ ...payment(account, rent, 1999), description: '=1+1, "due"\nin May' });
  const failing = payment(account, elsewhere('ACCOUNT-CLOSED-0001'), 5000);
  const { id } = await gateway.send.mutate({ ...failing, receiverAccountName: '@Shady 100%' });
  await settled(ada, id);
});

afterAll(() => world.close());

function page(filters: object = {}): Promise<StatementLines> {
  return ada.rpc.paymentGateway.statement.query({ id: account.id, ...filters });
}

async function read(filters: object = {}): Promise<StatementLine[]> {
  return (await page(filters)).lines;
}

function csvOf(query: string) {
  return ada.rest(`GET ${GATEWAY}/virtual-accounts/${account.id}/statement.csv${query}`);
}

test('a statement has every movement with the balance after it, newest first', async () => {
  expect(await read()).toMatchObject([
    { kind: 'returned', amount: 5000, balance: 8001, party: '@Shady 100%' },
    { kind: 'sent', amount: -5000, balance: 3001, party: '@Shady 100%' },
    { kind: 'sent', amount: -1999, balance: 8001, party: 'Receiver' },
    { kind: 'received', amount: 10_000, balance: 10_000, party: 'Grandmother' },
  ]);
});

test('pages follow each other without a gap', async () => {
  const all = await read();
  const first = await read({ limit: 3 });
  const rest = await read({ limit: 3, cursor: first.at(-1)?.id });
  expect([...first, ...rest]).toEqual(all);
  expect(await read({ cursor: all.at(-1)?.id })).toEqual([]);
  expect(await read({ cursor: '0197a000-0000-7000-8000-000000000001' })).toEqual([]);
});

test('kind, search and month narrow it, together too', async () => {
  const kinds = async (filters: object) => (await read(filters)).map(({ kind }) => kind);
  expect(await kinds({ kind: 'sent' })).toEqual(['sent', 'sent']);
  expect(await kinds({ search: 'sHADY' })).toEqual(['returned', 'sent']);
  expect(await kinds({ search: '100%' })).toEqual(['returned', 'sent']);
  expect(await kinds({ search: '1_0' })).toEqual([]);
  expect(await kinds({ search: 'in may', kind: 'sent', month: MONTH })).toEqual(['sent']);
  expect(await kinds({ search: (await read())[3]?.reference })).toEqual(['received']);
  expect(await kinds({ month: MONTH })).toHaveLength(4);
  expect(await kinds({ month: '2019-12' })).toEqual([]);
  expect(await kinds({ month: '9999-12' })).toEqual([]);
});

/** Adds copies of an account's newest line. */
async function addLines({ id }: VirtualAccount, count: number): Promise<void> {
  await world.deps.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`
      insert into ledger_entries
        (account_id, position, transaction_id, amount, balance_after, kind, payment_id, created_at)
      select account_id, position + n, gen_random_uuid(), amount, balance_after, kind, payment_id, created_at
      from (
        select * from ledger_entries
        where account_id = (select available_id from virtual_accounts where id = ${id})
        order by position desc limit 1
      ) newest, generate_series(1, ${count}::int) n`.execute(trx);
  });
}

test('a search that stops says where, and goes on from there', async () => {
  const many = await openAccount(ada);
  const { id } = many;
  for (const description of ['The oldest', 'The other']) {
    await ada.rpc.paymentGateway.receive.mutate({ ...receipt(many, 1), description });
  }
  await addLines(many, MAX_SEARCHED_LINES - 2);
  const found = { lines: [{ description: 'The oldest' }], stoppedAt: null };
  expect(await page({ id, search: 'oldest' })).toMatchObject(found);
  await addLines(many, 1);
  const { lines, stoppedAt } = await page({ id, search: 'oldest' });
  expect(lines).toEqual([]);
  expect(await page({ id, search: 'oldest', cursor: stoppedAt })).toMatchObject(found);
  expect(await page({ id, search: 'other', limit: 2 })).toMatchObject({ stoppedAt: null });
  expect(await page({ id, limit: 2 })).toMatchObject({ stoppedAt: null });
});

test.each(['2026-13', '2026-1', '26-11', '2026-11-01', 'now'])('month %s is refused', async (month) => {
  const path = `${GATEWAY}/virtual-accounts/${account.id}/statement`;
  expect((await ada.rest(`GET ${path}?month=${month}`)).status).toBe(400);
  expect((await csvOf(`?month=${month}`)).status).toBe(400);
});

test.each([
  ['kind=spent', 'Kind must be sent, received or returned.'],
  ['month=2026-11&month=2026-12', 'Month must look like 2026-11.'],
  ['limit=0', 'Limit must be a whole number from 1 to 1000.'],
  [`search=${'x'.repeat(101)}`, 'Search can have at most 100 characters.'],
])('%s is refused in a sentence', async (query, message) => {
  const answer = await ada.rest(`GET ${GATEWAY}/virtual-accounts/${account.id}/statement?${query}`);
  expect(answer).toMatchObject({ status: 400, body: { message } });
});

test('months begin and end at midnight UTC', async () => {
  const other = await openAccount(ada, { balance: 1 });
  await ada.rpc.paymentGateway.receive.mutate(receipt(other, 2));
  await ada.rpc.paymentGateway.receive.mutate(receipt(other, 3));
  const instants = ['2024-02-29T23:59:59.999Z', '2024-03-01T00:00:00.000Z', '2024-03-31T23:59:59.999Z'];
  await world.deps.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const [index, instant] of instants.entries()) {
      await sql`update ledger_entries set created_at = ${instant}
        where position = ${index + 1} and account_id = (select available_id from virtual_accounts
          where id = ${other.id})`.execute(trx);
    }
  });
  const amounts = async (month: string) => (await read({ id: other.id, month })).map(({ amount }) => amount);
  expect(await amounts('2024-02')).toEqual([1]);
  expect(await amounts('2024-03')).toEqual([3, 2]);
  expect(await amounts('2024-04')).toEqual([]);
});

test('the month’s CSV is quoted, computes nothing and is named', async () => {
  const answer = await csvOf(`?month=${MONTH}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const name = `statement-${account.accountNumber}-${MONTH}.csv`;
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  const lines = await read();
  expect(answer.text).toBe(
    [
      'Date,Kind,Reference,Description,Party,Amount,Balance,Currency',
      `${lines[0]?.createdAt},returned,${lines[0]?.reference},,'@Shady 100%,50.00,80.01,USD`,
      `${lines[1]?.createdAt},sent,${lines[1]?.reference},,'@Shady 100%,-50.00,30.01,USD`,
      `${lines[2]?.createdAt},sent,${lines[2]?.reference},"'=1+1, ""due""\nin May",Receiver,-19.99,80.01,USD`,
      `${lines[3]?.createdAt},received,${lines[3]?.reference},,Grandmother,100.00,100.00,USD`,
      '',
    ].join('\r\n'),
  );
});

test('the CSV of an empty month is its header; of no month it is refused', async () => {
  expect((await csvOf('?month=2020-01')).text).toMatch(/^Date,.*\r\n$/);
  expect((await csvOf('')).status).toBe(400);
});

test('the CSV is documented beside the procedures', async () => {
  const { body } = await world.anyone.rest('GET /api/openapi.json');
  expect(body).toMatchObject({
    paths: {
      [`${GATEWAY}/virtual-accounts/{id}/statement.csv`]: {
        get: {
          operationId: 'paymentGateway.statementCsv',
          responses: { 404: { $ref: '#/components/responses/404' } },
        },
      },
    },
  });
});

test('a stream tells of each account at first, then of those whose payments change', async () => {
  const told: string[] = [];
  const subscription = ada.rpc.paymentGateway.changes.subscribe(undefined, {
    onData: ({ data }) => void told.push(data.virtualAccountId),
  });
  const all = (await ada.rpc.paymentGateway.virtualAccounts.query()).map(({ id }) => id);
  await expect.poll(() => told.toSorted()).toEqual(all.toSorted());
  const bob = await world.as('Bob');
  await openAccount(bob, { balance: 5 });
  // Once it listens, all of them are told again: something may have been missed before.
  for (const round of [1, 2]) {
    told.length = 0;
    await ada.rpc.paymentGateway.receive.mutate(receipt(account, round));
    await expect.poll(() => told).toContain(account.id);
  }
  expect(new Set(told)).toEqual(new Set([account.id]));
  subscription.unsubscribe();
});
