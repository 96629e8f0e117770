import { type Kysely, sql } from 'kysely';

/** What somebody ran at a database, for themself alone; the statement is sealed, since there may be secrets in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table database_statements (
      id uuid primary key default uuid7(),
      owner_id uuid not null references workspaces on delete cascade,
      database_id uuid not null references managed_databases on delete cascade,
      user_id uuid not null references users on delete cascade,
      sealed_sql bytea not null,
      sealed_error bytea,
      write boolean not null,
      command text not null,
      milliseconds integer not null,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index database_statements_of on database_statements (database_id, user_id, id desc)`.execute(
    db,
  );
  await sql`create index database_statements_by_user on database_statements (user_id)`.execute(db);
  await sql`create index database_statements_by_owner on database_statements (owner_id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table database_statements`.execute(db);
}
