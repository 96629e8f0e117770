import { type Kysely, sql } from 'kysely';

/** Accounts can have an authenticator app with recovery codes; a session knows when its person last proved who they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column proved_at timestamptz(3) not null default now()`.execute(db);
  await sql`update sessions set proved_at = created_at`.execute(db);
  await sql`
    create table totp_secrets (
      user_id uuid primary key references users on delete cascade,
      secret bytea not null,
      last_step bigint not null default 0,
      confirmed_at timestamptz(3)
    )`.execute(db);
  await sql`
    create table recovery_codes (
      user_id uuid not null references users on delete cascade,
      hash text not null,
      primary key (user_id, hash)
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table recovery_codes, totp_secrets`.execute(db);
  await sql`alter table sessions drop column proved_at`.execute(db);
}
