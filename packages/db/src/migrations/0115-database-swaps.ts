import { type Kysely, sql } from 'kysely';

/** Two databases that are changing places: finished whenever this process ends meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table database_swaps (
      id uuid primary key default uuid7(),
      first_id uuid not null unique references managed_databases on delete cascade,
      second_id uuid not null unique references managed_databases on delete cascade,
      first_place text
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table database_swaps`.execute(db);
}
