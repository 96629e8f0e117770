import { createHash, randomBytes } from 'node:crypto';
import { createPool } from '@nephos/db';

/** A virtual account, as a benchmark sends from it and to it. */
export interface BenchAccount {
  id: string;
  number: string;
}

/**
 * Accounts of the one person there is, straight into the tables, since a person may have fewer. The rules of the
 * ledger are suspended while they are filled, and hold of what was filled.
 */
export async function addAccounts(
  databaseUrl: string,
  { count, balance }: { count: number; balance: number },
): Promise<BenchAccount[]> {
  return filling(databaseUrl, async (query) => {
    const accounts = await query<BenchAccount>(
      `with made as (
         select n, uuid7() as available, uuid7() as held, uuid7() as outside from generate_series(1, $1::int) n
       ), funds as (
         insert into ledger_accounts (id, kind)
         select made_id, kind from made,
           lateral (values (available, 'available'), (held, 'held'), (outside, 'outside')) v (made_id, kind)
       )
       insert into virtual_accounts
         (owner_id, account_name, bank_name, account_number, available_id, held_id, outside_id, holds_test_funds)
       select users.id, 'Account ' || n, 'Virtual Bank', lpad((n + $2::int)::text, 10, '0'), available, held, outside, true
       from users, made order by n
       returning id, account_number as number`,
      [count, balance],
    );
    if (balance > 0) for (const { id } of accounts) await fill(query, id, 1, balance);
    return accounts;
  });
}

/**
 * Members of the one person's workspace, who may send from its accounts; the result is the cookies of their sessions.
 * Calls are counted for each person, so that many are needed to send as fast as the ledger takes it. Their sessions are
 * new: to prolong an older one is a commit of its own.
 */
export async function addSenders(databaseUrl: string, count: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, () => randomBytes(20).toString('hex'));
  const digests = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
  await filling(databaseUrl, async (query) => {
    await query(
      `with workspace as (
         select id from workspaces where personal order by created_at limit 1
       ), people as (
         insert into users (email, handle, role)
         select 'sender-' || n || '@example.com', 'sender-' || n, 'member' from generate_series(1, $1::int) n
         returning id
       ), members as (
         insert into workspace_members (workspace_id, user_id, role)
         select workspace.id, people.id, 'owner' from workspace, people
       ), numbered as (
         select id, row_number() over () as n from people
       )
       insert into sessions (id, public_id, user_id, workspace_id, expires_at)
       select digest, gen_random_uuid(), numbered.id, workspace.id, now() + interval '10 days'
       from workspace, numbered join unnest($2::text[]) with ordinality as d (digest, n) using (n)`,
      [count, digests],
    );
  });
  return secrets.map((secret) => `session=${secret}`);
}

/** Adds so many received payments of a cent each to an account that has none. */
export async function addEntries(databaseUrl: string, id: string, entries: number): Promise<void> {
  await filling(databaseUrl, (query) => fill(query, id, entries, 1));
  const pool = createPool({ url: databaseUrl, max: 1 });
  for (const table of ['ledger_entries', 'ledger_transactions', 'gateway_payments']) {
    await pool.query(`set statement_timeout = ${5 * 60_000}`);
    await pool.query(`vacuum analyze ${table}`);
  }
  await pool.end();
}

type Query = <R extends object>(text: string, values: unknown[]) => Promise<R[]>;

async function filling<T>(databaseUrl: string, work: (query: Query) => Promise<T>): Promise<T> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  await pool.query(`set statement_timeout = ${10 * 60_000}`);
  await pool.query('set session_replication_role = replica');
  try {
    return await work(async <R extends object>(text: string, values: unknown[]) => {
      const { rows } = await pool.query<R>(text, values);
      return rows;
    });
  } finally {
    await pool.end();
  }
}

async function fill(query: Query, id: string, entries: number, amount: number): Promise<void> {
  await query(
    `with account as materialized (
       select * from virtual_accounts where id = $1
     ), made as materialized (
       select n, uuid7() as moved, uuid7() as paid, now() - interval '1 ms' * ($2::int - n) as at
       from generate_series(1, $2::int) n
     ), moved as (
       insert into ledger_transactions (id, reference, created_at)
       select moved, 'NP-' || account_number || '-' || n, at from made, account
     ), paid as (
       insert into gateway_payments (id, owner_id, virtual_account_id, type, status, outside, reference, description,
         amount, sender_account_name, sender_account_number, sender_bank_name, receiver_account_name,
         receiver_account_number, receiver_bank_name, created_at, settled_at)
       select paid, owner_id, account.id, 'receive', 'completed', true, 'NP-' || account_number || '-' || n,
         'Payment ' || n, $3::bigint, 'Sender', '1234', 'Elsewhere', account_name, account_number, bank_name, at, at
       from made, account
     ), entered as (
       insert into ledger_entries
         (account_id, position, transaction_id, amount, balance_after, kind, payment_id, created_at)
       select available_id, n, moved, $3::bigint, $3::bigint * n, 'received', paid, at from made, account
       union all
       select outside_id, n, moved, -$3::bigint, -$3::bigint * n, null, null, at from made, account
     )
     update ledger_accounts l
     set balance = case l.kind when 'outside' then -1 else 1 end * $3::bigint * $2::int, entries = $2::int
     from account where l.id in (available_id, outside_id)`,
    [id, entries, amount],
  );
}
