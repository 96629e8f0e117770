import { type Kysely, sql } from 'kysely';
import { FORMER_SEND } from './0028-ledger-posting.ts';
import { dropFormerNames, keepFormerNames } from './former-names.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table virtual_accounts add column closed_at timestamptz(3)`.execute(db);
  await sql`
    create index virtual_accounts_open on virtual_accounts (owner_id, id desc) where closed_at is null`.execute(
    db,
  );
  await sql`
    create function tell_account_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('payment_changed', new.owner_id || ' ' || new.id);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger account_changes after update of account_name, closed_at on virtual_accounts
    for each row execute function tell_account_change()`.execute(db);
  await judgeSends(db, { before: JUDGED, after: JUDGED_WITH_CLOSED });
  await FORMER_SEND_WITH_CLOSED.execute(db);
  await guardClosed(db);
  await keepFormerNames(db);
}

/** Servers of the release before know neither of these refusals: they get the nearest that they know. */
const FORMER_SEND_WITH_CLOSED = sql`
  create or replace function gateway_send(sends jsonb)
  returns table (n bigint, refusal text, replayed boolean, payment gateway_payments)
  language sql as $$
    select s.n,
      case s.refusal when 'ACCOUNT_CLOSED' then 'NOT_FOUND' when 'NO_SUCH_ACCOUNT' then 'SAME_ACCOUNT' else s.refusal end,
      s.replayed, s.payment
    from gateway_send(sends, 9999999999999) s
  $$`;

/**
 * Servers of the release before receive money without asking whether the account is open. They lock what it has before
 * they write the payment, as closing does, so what is read here stays true.
 */
async function guardClosed(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function guard_closed_account() returns trigger language plpgsql as $$
      begin
        if exists (select from virtual_accounts v where v.id = new.virtual_account_id and v.closed_at is not null) then
          raise check_violation using message = 'the account is closed';
        end if;
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger guard_closed before insert on gateway_payments
    for each row execute function guard_closed_account()`.execute(db);
}

export const JUDGED = `when sender.id is null then 'NOT_FOUND'
          when receiver.id = sender.id then 'SAME_ACCOUNT'`;

/** What an account has was locked before this is asked, and closing one locks the same: so it is true until the commit. */
export const JUDGED_WITH_CLOSED = `when sender.id is null then 'NOT_FOUND'
          when sender.closed_at is not null then 'ACCOUNT_CLOSED'
          when receiver.id = sender.id then 'SAME_ACCOUNT'
          when receiver.closed_at is not null then 'NO_SUCH_ACCOUNT'`;

/** Changes in `gateway_send` only how a send is judged: the rest of its hundred lines stays what 0028 wrote. */
export async function judgeSends(
  db: Kysely<unknown>,
  { before, after }: { before: string; after: string },
): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select pg_get_functiondef('gateway_send(jsonb, bigint)'::regprocedure) as text`.execute(db);
  const text = rows[0]?.text ?? '';
  if (!text.includes(before)) throw new Error('gateway_send is not the function that is to be changed.');
  await sql.raw(text.replace(before, after)).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await dropFormerNames(db);
  await sql`drop trigger guard_closed on gateway_payments`.execute(db);
  await sql`drop function guard_closed_account`.execute(db);
  await FORMER_SEND.execute(db);
  await judgeSends(db, { before: JUDGED_WITH_CLOSED, after: JUDGED });
  await sql`drop trigger account_changes on virtual_accounts`.execute(db);
  await sql`drop function tell_account_change`.execute(db);
  await sql`alter table virtual_accounts drop column closed_at`.execute(db);
}
