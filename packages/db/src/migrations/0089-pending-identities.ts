import { type Kysely, sql } from 'kysely';

/** Who a provider says somebody is, until the account with their address has let them in once by its own means. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pending_identities (
      hash text primary key,
      user_id uuid not null references users on delete cascade,
      issuer text not null,
      subject text not null,
      email text,
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index pending_identities_of_user on pending_identities (user_id)`.execute(db);
  await sql`create index pending_identities_by_expiry on pending_identities (expires_at)`.execute(db);
  await sql`
    alter table identities
      add column id uuid not null unique default uuid7(),
      add column email text`.execute(db);
  // Until now an identity was only ever connected by the address that its provider had verified.
  await sql`update identities set email = users.email from users where users.id = user_id`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identities drop column id, drop column email`.execute(db);
  await sql`drop table pending_identities`.execute(db);
}
