import { type Kysely, sql } from 'kysely';

/** Records can follow the address of a project's app. A record stays, as any other, where its project goes without it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dns_records add column project_id uuid references projects on delete set null`.execute(db);
  await sql`
    create index dns_records_of_project on dns_records (project_id) where project_id is not null`.execute(db);
  await sql`
    alter table dns_changes
    drop constraint dns_changes_kind_check,
    add constraint dns_changes_kind_check check (kind in ('edit', 'import', 'revert', 'follow'))`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from dns_changes where kind = 'follow'`.execute(db);
  await sql`
    alter table dns_changes
    drop constraint dns_changes_kind_check,
    add constraint dns_changes_kind_check check (kind in ('edit', 'import', 'revert'))`.execute(db);
  await sql`alter table dns_records drop column project_id`.execute(db);
}
