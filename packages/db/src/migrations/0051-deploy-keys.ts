import { type Kysely, sql } from 'kysely';

/** A project can have a key for its repository, and knows the host that it first used it with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deploy_keys (
      project_id uuid primary key references projects on delete cascade,
      owner_id uuid not null references users on delete cascade,
      public_key text not null,
      private_key bytea not null,
      host text not null default '',
      host_keys text[] not null default '{}',
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index deploy_keys_of_owner on deploy_keys (owner_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table deploy_keys`.execute(db);
}
