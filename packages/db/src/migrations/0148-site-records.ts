import { type Kysely, sql } from 'kysely';
import { indexAtLeisure } from './index-at-leisure.ts';

export const withoutTransaction = true;

/** The records that follow the site of a bucket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await indexAtLeisure(db, 'dns_records_of_bucket', 'dns_records (bucket_id) where bucket_id is not null');
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index dns_records_of_bucket`.execute(db);
}
