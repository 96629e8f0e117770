import { type Kysely, sql } from 'kysely';
import { indexAtLeisure } from './index-at-leisure.ts';

export const withoutTransaction = true;

/** The one primary domain of a bucket, and the records that follow its site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const primary = 'custom_domains (bucket_id) where is_primary';
  await indexAtLeisure(db, 'custom_domains_primary_of_bucket', primary, { unique: true });
  await indexAtLeisure(db, 'dns_records_of_bucket', 'dns_records (bucket_id) where bucket_id is not null');
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index custom_domains_primary_of_bucket, dns_records_of_bucket`.execute(db);
}
