import { type Kysely, sql } from 'kysely';

/** The few buckets from which something goes by its age, which a sweep asks for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index buckets_with_lifecycle on buckets (id) where lifecycle is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index buckets_with_lifecycle`.execute(db);
}
