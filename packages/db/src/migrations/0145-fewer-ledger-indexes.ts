import { type Kysely, sql } from 'kysely';
import { indexAtLeisure } from './index-at-leisure.ts';

export const withoutTransaction = true;

/**
 * Most of what a send costs the database is to keep indexes. Those go that nothing asks, and what is unique only where it
 * is told is indexed only there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await indexAtLeisure(
    db,
    'gateway_payments_by_hold',
    'gateway_payments (hold_id) where hold_id is not null',
    {
      unique: true,
    },
  );
  await indexAtLeisure(
    db,
    'ledger_transactions_by_reversed',
    'ledger_transactions (reverses) where reverses is not null',
    { unique: true },
  );
  // Of references with 80 random bits none comes twice.
  await sql`
    alter table gateway_payments drop constraint if exists gateway_payments_hold_id_key,
      drop constraint if exists gateway_payments_reference_type_key`.execute(db);
  await sql`
    alter table ledger_transactions drop constraint if exists ledger_transactions_reverses_key`.execute(db);
  await POSITION_FROM.execute(db);
  // Windows that are over are looked for once an hour.
  for (const name of ['ledger_entries_by_time', 'rate_limits_by_end']) {
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
  }
}

/**
 * `ledger_position_from(account, instant)`: the position of an account's first entry at an instant or after it, one more
 * than it has where there is none. Positions have no gap and times never fall along them, so it halves what is left.
 */
const POSITION_FROM = sql`
  create or replace function ledger_position_from(account uuid, instant timestamptz) returns bigint
  language plpgsql stable as $$
    declare
      low bigint := 1;
      high bigint := 1 + (select a.entries from ledger_accounts a where a.id = account);
      middle bigint;
    begin
      while low < high loop
        middle := (low + high) / 2;
        if (select e.created_at from ledger_entries e where e.account_id = account and e.position = middle) < instant
          then low := middle + 1;
          else high := middle;
        end if;
      end loop;
      return low;
    end
  $$`;

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`create index rate_limits_by_end on rate_limits (window_ends)`.execute(db);
  await sql`
    create index ledger_entries_by_time on ledger_entries (account_id, created_at, position)
    where kind is not null`.execute(db);
  await sql`drop function ledger_position_from`.execute(db);
  await sql`alter table ledger_transactions add unique (reverses)`.execute(db);
  await sql`alter table gateway_payments add unique (hold_id), add unique (reference, type)`.execute(db);
  await sql`drop index ledger_transactions_by_reversed, gateway_payments_by_hold`.execute(db);
}
