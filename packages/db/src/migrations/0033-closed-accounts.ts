import { type Kysely, sql } from 'kysely';
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
  await keepFormerNames(db);
}

const JUDGED = `when sender.id is null then 'NOT_FOUND'
          when receiver.id = sender.id then 'SAME_ACCOUNT'`;

/** What an account has was locked before this is asked, and closing one locks the same: so it is true until the commit. */
const JUDGED_WITH_CLOSED = `when sender.id is null then 'NOT_FOUND'
          when sender.closed_at is not null then 'ACCOUNT_CLOSED'
          when receiver.id = sender.id then 'SAME_ACCOUNT'
          when receiver.closed_at is not null then 'NO_SUCH_ACCOUNT'`;

/** Changes in `gateway_send` only how a send is judged: the rest of its hundred lines stays what 0028 wrote. */
async function judgeSends(
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
  await judgeSends(db, { before: JUDGED_WITH_CLOSED, after: JUDGED });
  await sql`drop trigger account_changes on virtual_accounts`.execute(db);
  await sql`drop function tell_account_change`.execute(db);
  await sql`alter table virtual_accounts drop column closed_at`.execute(db);
}
