import { type Kysely, sql } from 'kysely';

/**
 * The planner takes a batch of sends for a hundred, whatever it holds, and then reads all virtual accounts rather than
 * look two of them up: with 9,000 accounts that was most of a send. Everything that `gateway_send` asks has an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter function gateway_send(jsonb) set enable_seqscan = off`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter function gateway_send(jsonb) reset enable_seqscan`.execute(db);
}
