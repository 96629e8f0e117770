import { type Kysely, sql } from 'kysely';

/** Of a bucket's domains one is primary, as of a project's, and records can follow the address of sites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dns_records add column bucket_id uuid references buckets on delete set null`.execute(db);
  await sql`
    update custom_domains set is_primary = true where id in (
      select distinct on (bucket_id) id from custom_domains where bucket_id is not null
      order by bucket_id, proven_at nulls last, id
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update custom_domains set is_primary = false, redirects = false where bucket_id is not null`.execute(
    db,
  );
  await sql`alter table dns_records drop column bucket_id`.execute(db);
}
