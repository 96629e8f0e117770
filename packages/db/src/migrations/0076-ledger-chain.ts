import { type Kysely, sql } from 'kysely';

/**
 * The ledger's transactions are chained by hashes. A new one waits in a table without an index, which costs a payment
 * next to nothing and leaves none out, in whatever order transactions commit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_links (
      position bigint primary key,
      transaction_id uuid not null unique references ledger_transactions,
      hash bytea not null
    )`.execute(db);
  await sql`create table ledger_unlinked (transaction_id uuid not null)`.execute(db);
  await sql`
    create function await_ledger_link() returns trigger language plpgsql as $$
      begin
        insert into ledger_unlinked values (new.id);
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger await_link before insert on ledger_transactions
    for each row execute function await_ledger_link()`.execute(db);
  await sql`insert into ledger_unlinked select id from ledger_transactions`.execute(db);
  await sql`
    create function ledger_transaction_text(of ledger_transactions) returns text language sql stable as $$
      select concat_ws('|', of.id, of.reference, coalesce(of.reverses::text, ''),
        extract(epoch from of.created_at), (
          select string_agg(concat_ws(':', account_id, position, amount, balance_after, coalesce(kind, ''),
            coalesce(payment_id::text, ''), extract(epoch from created_at)), '|' order by account_id)
          from ledger_entries where transaction_id = of.id))
    $$`.execute(db);
  for (const event of ['update or delete', 'truncate']) {
    await sql`
      create trigger ${sql.ref(event === 'truncate' ? 'never_emptied' : 'unchangeable')}
      before ${sql.raw(event)} on ledger_links
      for each ${sql.raw(event === 'truncate' ? 'statement' : 'row')}
      execute function refuse_ledger_change()`.execute(db);
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger await_link on ledger_transactions`.execute(db);
  await sql`drop function await_ledger_link`.execute(db);
  await sql`drop table ledger_unlinked, ledger_links`.execute(db);
  await sql`drop function ledger_transaction_text(ledger_transactions)`.execute(db);
}
