import { type Kysely, sql } from 'kysely';

/** For the registry's catalogue: one's own repositories and the public ones, by their names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index container_repositories_of_owner`.execute(db);
  await sql`create index container_repositories_of_owner on container_repositories (owner_id, name)`.execute(
    db,
  );
  await sql`
    create index container_repositories_in_public on container_repositories (name) where is_public`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index container_repositories_in_public, container_repositories_of_owner`.execute(db);
  await sql`create index container_repositories_of_owner on container_repositories (owner_id)`.execute(db);
}
