import { type Kysely, sql } from 'kysely';

/** Double entry: what holds of the ledger holds for whoever writes to these tables, not for our own code alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db);
  await tieBalancesToEntries(db);
  await refuseUnbalanced(db);
  await refuseChanges(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  // `outside` is the counterpart beyond this bank: each virtual account has its own, so that no row is shared by
  // everyone's payments; it alone goes below zero. Room for updates within the page keeps them off the index.
  await sql`
    create table ledger_accounts (
      id uuid primary key default uuid7(),
      kind text not null check (kind in ('available', 'held', 'outside')),
      currency text not null default 'USD' check (currency = 'USD'),
      balance bigint not null default 0,
      entries bigint not null default 0,
      changed_at timestamptz(3) not null default now(),
      constraint funds check (kind = 'outside' or balance between 0 and 9999999999999)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table ledger_transactions (
      id uuid primary key default uuid7(),
      reference text not null,
      reverses uuid unique references ledger_transactions,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  // `position` counts an account's entries without a gap; `created_at` never falls along it, whatever the clock does.
  // `kind` and `payment_id` are of entries that a statement shows.
  await sql`
    create table ledger_entries (
      account_id uuid not null references ledger_accounts,
      position bigint not null,
      transaction_id uuid not null references ledger_transactions,
      amount bigint not null check (amount <> 0),
      balance_after bigint not null,
      kind text check (kind in ('sent', 'received', 'returned')),
      payment_id uuid,
      created_at timestamptz(3) not null,
      primary key (account_id, position),
      unique (transaction_id, account_id),
      check ((kind is null) = (payment_id is null))
    )`.execute(db);
  await sql`
    create index ledger_entries_by_kind on ledger_entries (account_id, kind, position)
    where kind is not null`.execute(db);
  await sql`
    create index ledger_entries_by_time on ledger_entries (account_id, created_at, position)
    where kind is not null`.execute(db);
}

/** An entry changes its account's balance as it is inserted; nothing else can change a balance. */
async function tieBalancesToEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function post_ledger_entry() returns trigger language plpgsql as $$
      begin
        update ledger_accounts
        set balance = balance + new.amount,
          entries = entries + 1,
          changed_at = greatest(changed_at, clock_timestamp())
        where id = new.account_id
        returning entries, balance, changed_at into new.position, new.balance_after, new.created_at;
        if not found then
          raise foreign_key_violation using message = 'no ledger account ' || new.account_id;
        end if;
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger post_entry before insert on ledger_entries
    for each row execute function post_ledger_entry()`.execute(db);
  await sql`
    create function guard_ledger_account() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          if new.balance = 0 and new.entries = 0 then return new; end if;
        elsif tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
          if (new.id, new.kind, new.currency) = (old.id, old.kind, old.currency) then return new; end if;
        end if;
        raise integrity_constraint_violation using message = 'a balance changes by entries alone';
      end
    $$`.execute(db);
  await sql`
    create trigger guard_account before insert or update or delete on ledger_accounts
    for each row execute function guard_ledger_account()`.execute(db);
}

async function refuseUnbalanced(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function assert_ledger_balanced() returns trigger language plpgsql as $$
      declare
        checked uuid;
        lines integer;
        total numeric;
      begin
        if tg_table_name = 'ledger_entries' then checked := new.transaction_id; else checked := new.id; end if;
        select count(*), sum(amount) into lines, total from ledger_entries where transaction_id = checked;
        if lines >= 2 and total = 0 then return null; end if;
        raise integrity_constraint_violation using
          message = format('ledger transaction %s has %s entries that sum to %s', checked, lines, total);
      end
    $$`.execute(db);
  for (const table of ['ledger_transactions', 'ledger_entries']) {
    await sql`
      create constraint trigger balanced after insert on ${sql.table(table)} deferrable initially deferred
      for each row execute function assert_ledger_balanced()`.execute(db);
  }
}

/** A correction is another transaction, which `reverses` the first. */
async function refuseChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_ledger_change() returns trigger language plpgsql as $$
      begin
        raise integrity_constraint_violation using message = tg_table_name || ' are never changed or deleted';
      end
    $$`.execute(db);
  for (const table of ['ledger_transactions', 'ledger_entries']) {
    await sql`
      create trigger unchangeable before update or delete on ${sql.table(table)}
      for each row execute function refuse_ledger_change()`.execute(db);
  }
  for (const table of ['ledger_transactions', 'ledger_entries', 'ledger_accounts']) {
    await sql`
      create trigger never_emptied before truncate on ${sql.table(table)}
      for each statement execute function refuse_ledger_change()`.execute(db);
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table ledger_entries, ledger_transactions, ledger_accounts`.execute(db);
  await sql`drop function post_ledger_entry, guard_ledger_account, assert_ledger_balanced, refuse_ledger_change`.execute(
    db,
  );
}
