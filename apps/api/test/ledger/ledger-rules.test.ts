import { MAX_FUNDS } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccounts, type BenchAccount } from '../../bench/ledger-accounts.ts';
import { openFunds, post } from '../../src/domains/ledger/ledger.ts';
import { readTrialBalance } from '../../src/domains/ledger/trial-balance.ts';
import { gatewaySend } from '../../src/domains/payment-gateway/gateway-send.ts';
import { fund, openAccount, payment } from '../payment-gateway/gateway-fixtures.ts';
import { createWorld, type World } from '../world.ts';
import { faultsOfLedger } from './ledger-faults.ts';

let world: World;
let funds: Awaited<ReturnType<typeof openFunds>>;
let transactionId: string;

beforeAll(async () => {
  world = await createWorld();
  funds = await openFunds(world.deps.db);
  transactionId = await move(500);
});

afterAll(() => world.close());

function move(amount: number, reverses: string | null = null): Promise<string> {
  return atomically(world.deps.db, async (trx) => {
    const entries = [
      { accountId: funds.outsideId, amount: -amount },
      { accountId: funds.availableId, amount },
    ];
    return post(trx, { reference: 'NP-1', reverses, entries });
  });
}

async function refused(work: () => Promise<unknown>, code: string): Promise<void> {
  const state = () =>
    sql`select json_agg(a order by a.id) as state from ledger_accounts a`.execute(world.deps.db);
  const before = await state();
  await expect(work()).rejects.toMatchObject({ code });
  expect((await state()).rows).toEqual(before.rows);
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
}

const BROKEN_RULE = '23000';
const CHECK = '23514';
const UNIQUE = '23505';

test.each([
  'update ledger_entries set amount = amount + 1',
  'update ledger_entries set created_at = now()',
  'delete from ledger_entries',
  'truncate ledger_entries',
  `update ledger_transactions set reference = 'other'`,
  'delete from ledger_transactions',
  'truncate ledger_transactions cascade',
  'update ledger_accounts set balance = balance + 1',
  'update ledger_accounts set entries = 0',
  `update ledger_accounts set kind = 'outside'`,
  'delete from ledger_accounts',
  `insert into ledger_accounts (kind, balance) values ('outside', 5)`,
])('nobody can: %s', async (statement) => {
  await refused(() => sql.raw(statement).execute(world.deps.db), BROKEN_RULE);
});

test('a transaction that does not sum to zero is refused', async () => {
  const entries = [
    { accountId: funds.outsideId, amount: -5 },
    { accountId: funds.availableId, amount: 6 },
  ];
  await refused(
    () => atomically(world.deps.db, (trx) => post(trx, { reference: 'NP-2', entries })),
    BROKEN_RULE,
  );
});

test('a transaction of no entry is refused as it commits, one of a single entry at once', async () => {
  const { db } = world.deps;
  let inserted = false;
  await refused(
    () =>
      atomically(db, async (trx) => {
        await trx.insertInto('ledgerTransactions').values({ reference: 'NP-3', reverses: null }).execute();
        inserted = true;
      }),
    BROKEN_RULE,
  );
  expect(inserted).toBe(true);
  const entries = [{ accountId: funds.availableId, amount: 5 }];
  await refused(() => atomically(db, (trx) => post(trx, { reference: 'NP-3', entries })), BROKEN_RULE);
});

/** Adds entries by hand: each the next of its account, but for what `wrong` says of the first one. */
async function add(
  to: string,
  changes: readonly { accountId: string; amount: number }[],
  wrong: { position?: number; balanceAfter?: number; secondsAgo?: number } = {},
): Promise<void> {
  const rows = changes.map(({ accountId, amount }, index) => {
    const { position = 0, balanceAfter = 0, secondsAgo = 0 } = index === 0 ? wrong : {};
    return sql`
      select ${to}::uuid, id, ${amount}::bigint, entries + 1 + ${position}::int,
        balance + ${amount}::bigint + ${balanceAfter}::int, clock_timestamp() - make_interval(secs => ${secondsAgo}::int)
      from ledger_accounts where id = ${accountId}`;
  });
  await sql`
    insert into ledger_entries (transaction_id, account_id, amount, position, balance_after, created_at)
    ${sql.join(rows, sql` union all `)}`.execute(world.deps.db);
}

test('a transaction can be added to by what sums to zero alone, and one that is not there by nothing', async () => {
  const other = await openFunds(world.deps.db);
  const [one, two] = [
    { accountId: other.outsideId, amount: -1 },
    { accountId: other.availableId, amount: 1 },
  ];
  await refused(() => add(transactionId, [one]), BROKEN_RULE);
  await refused(() => add(other.heldId, [one, two]), BROKEN_RULE);
  await add(transactionId, [one, two]);
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
});

test.each([{ position: 1 }, { position: -1 }, { balanceAfter: 1 }, { secondsAgo: 3600 }])(
  'an entry that does not go on from the last one of its account is refused: %o',
  async (wrong) => {
    const other = await openFunds(world.deps.db);
    const changes = [
      { accountId: other.availableId, amount: 1 },
      { accountId: other.outsideId, amount: -1 },
    ];
    await refused(() => add(transactionId, changes, wrong), BROKEN_RULE);
    await add(transactionId, changes);
  },
);

test('no account but the one outside goes below zero, and none over its cap', async () => {
  await refused(() => move(-501), CHECK);
  await refused(() => move(9_999_999_999_999), CHECK);
  await refused(() => move(0), CHECK);
});

test('a transaction is reversed once', async () => {
  const id = await move(7);
  await move(-7, id);
  await refused(() => move(-7, id), UNIQUE);
});

/** Changes accounts with the ledger's own rules suspended. */
function tamper(statement: string): Promise<unknown> {
  return atomically(world.deps.db, async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql.raw(statement).execute(trx);
  });
}

test('the trial balance names an account that was tampered with', async () => {
  const { db } = world.deps;
  const add = (cents: number) =>
    tamper(`update ledger_accounts set balance = balance + ${cents} where id = '${funds.availableId}'`);
  expect((await readTrialBalance({ db })).discrepancies).toEqual([]);
  await add(1);
  expect((await readTrialBalance({ db })).discrepancies).toEqual([
    { accountId: funds.availableId, balance: 501, entries: 500 },
  ]);
  expect(await faultsOfLedger(db)).not.toEqual([]);
  await add(-1);
  expect(await faultsOfLedger(db)).toEqual([]);
});

test('the trial balance can be told where people own more cents than JSON has integers', async () => {
  const admin = await world.as('Admin');
  await tamper(`insert into ledger_accounts (kind, balance)
    select 'available', ${MAX_FUNDS} from generate_series(1, 1000)`);
  const { currencies } = await admin.rpc.paymentGateway.trialBalance.query();
  expect(currencies[0]?.owned).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
  await tamper(`delete from ledger_accounts where balance = ${MAX_FUNDS}`);
  expect(await faultsOfLedger(world.deps.db)).toEqual([]);
});

test('a send looks up what it needs, however many accounts there are', async () => {
  const { db } = world.deps;
  const owner = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const accounts = await addAccounts(world.databaseUrl, { count: 2000, balance: 0 });
  await sql`analyze virtual_accounts, ledger_accounts`.execute(db);
  const [from, to] = [accounts.at(-1), accounts.at(-2)] as [BenchAccount, BenchAccount];
  await fund(db, from.id, 5);
  const send = {
    owner_id: owner.id,
    account_id: from.id,
    number: to.number,
    name: 'B',
    bank: 'Virtual Bank',
  };
  const details = {
    amount: 5,
    description: '',
    reference: 'NP-4',
    key: 'k',
    fingerprint: 'f',
    outside: false,
    audit: 'null',
  };
  await db.transaction().execute(async (trx) => {
    const scans = async () =>
      (await sql`select relname, seq_scan from pg_stat_xact_user_tables order by relname`.execute(trx)).rows;
    const before = await scans();
    expect(await gatewaySend(trx, [{ ...send, ...details }])).toMatchObject([{ refusal: null }]);
    expect(await scans()).toEqual(before);
  });
});

test('servers of the release before send by the same rules while they are replaced', async () => {
  const { db } = world.deps;
  const eve = await world.as('Eve');
  const from = await openAccount(eve, { balance: 100 });
  const to = await openAccount(eve);
  const send = (amount: number, key: string) => ({
    ...{ owner_id: eve.user.id, account_id: from.id, amount, key, fingerprint: 'f', outside: false },
    ...{ number: to.accountNumber, name: 'B', bank: to.bankName, description: '', reference: `NP-${key}` },
  });
  const sends = JSON.stringify([send(60, 'former-1'), send(60, 'former-2'), send(60, 'former-1')]);
  const { rows } = await sql`
    select refusal, replayed from gateway_send(${sends}::jsonb) order by n`.execute(db);
  expect(rows).toEqual([
    { refusal: null, replayed: false },
    { refusal: 'INSUFFICIENT_FUNDS', replayed: false },
    { refusal: null, replayed: true },
  ]);
  expect(await faultsOfLedger(db)).toEqual([]);
});

test('servers of the release before neither pay into a closed account nor out of it', async () => {
  const { db } = world.deps;
  const ivy = await world.as('Ivy');
  const from = await openAccount(ivy, { balance: 100 });
  const [into, gone] = [await openAccount(ivy), await openAccount(ivy)];
  const sendOf = (account: { id: string }, to: typeof into) => ({
    ...{
      owner_id: ivy.user.id,
      account_id: account.id,
      amount: 1,
      key: null,
      fingerprint: null,
      outside: false,
    },
    ...{ number: to.accountNumber, name: 'B', bank: to.bankName, description: '', reference: 'NP-5' },
  });
  for (const { id } of [into, gone]) await ivy.rpc.paymentGateway.closeVirtualAccount.mutate({ id });
  const sends = JSON.stringify([sendOf(from, into), sendOf(gone, from)]);
  const { rows } = await sql`select refusal from gateway_send(${sends}::jsonb) order by n`.execute(db);
  expect(rows).toEqual([{ refusal: 'SAME_ACCOUNT' }, { refusal: 'NOT_FOUND' }]);
  const received = sql`
    insert into gateway_payments (owner_id, virtual_account_id, type, status, outside, reference, description, amount,
      sender_account_name, sender_account_number, sender_bank_name,
      receiver_account_name, receiver_account_number, receiver_bank_name, settled_at)
    select owner_id, ${gone.id}, type, status, outside, 'NP-6', description, amount,
      sender_account_name, sender_account_number, sender_bank_name,
      receiver_account_name, receiver_account_number, receiver_bank_name, settled_at
    from gateway_payments where virtual_account_id = ${from.id}`.execute(db);
  await expect(received).rejects.toMatchObject({ code: '23514', message: 'the account is closed' });
  expect(await faultsOfLedger(db)).toEqual([]);
});

test('a ledger with money in it goes to the release before and comes back', async () => {
  const { migrations } = await import('../../../../packages/db/src/migrations/list.ts');
  const names = [
    '0028-ledger-posting',
    '0033-closed-accounts',
    '0097-noted-changes',
    '0109-send-batches',
    '0112-entries-at-once',
  ];
  const changed = names.map((name) => migrations[name] as Required<Migration>);
  const { db } = world.deps;
  const fay = await world.as('Fay');
  const from = await openAccount(fay, { balance: 100 });
  const to = await openAccount(fay);
  // Migrations know nothing of the tables of later ones.
  const inTransaction = (work: Migration['up']) => db.transaction().execute((trx) => work(trx as never));
  for (const { down } of changed.toReversed()) await inTransaction(down);
  for (const { up } of changed) await inTransaction(up);
  await fay.rpc.paymentGateway.send.mutate(payment(from, to, 40));
  expect(await faultsOfLedger(db)).toEqual([]);
  expect(await fay.rpc.paymentGateway.virtualAccount.query({ id: to.id })).toMatchObject({ balance: 40 });
  const empty = await openAccount(fay);
  await fay.rpc.paymentGateway.closeVirtualAccount.mutate({ id: empty.id });
  await expect(fay.rpc.paymentGateway.send.mutate(payment(from, empty, 1))).rejects.toThrow(
    'There is no such account.',
  );
});
