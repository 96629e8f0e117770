import { type Kysely, sql } from 'kysely';

/** Records have more types than the first six. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dns_records
    drop constraint dns_records_record_type_check,
    add constraint dns_records_record_type_check check (record_type in (
      'A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'CAA', 'SRV', 'PTR', 'TLSA', 'SSHFP', 'HTTPS', 'SVCB', 'DS', 'ALIAS'
    ))`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from dns_records where record_type not in ('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS')`.execute(
    db,
  );
  await sql`
    alter table dns_records
    drop constraint dns_records_record_type_check,
    add constraint dns_records_record_type_check
    check (record_type in ('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'))`.execute(db);
}
