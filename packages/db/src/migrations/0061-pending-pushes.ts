import { type Kysely, sql } from 'kysely';

/** A push that git has taken in is deployed though the server is killed before it could queue that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pending_pushes (
      project_id uuid primary key references projects on delete cascade,
      owner_id uuid not null references users on delete cascade,
      before jsonb not null,
      began_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index pending_pushes_of_owner on pending_pushes (owner_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table pending_pushes`.execute(db);
}
