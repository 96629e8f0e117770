import { type Kysely, sql } from 'kysely';

/** What administrators decide while the server runs; null: as it is without that. One row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table installation_settings (
      id boolean primary key default true check (id),
      signups text check (signups in ('open', 'invite', 'closed')),
      billing boolean,
      smtp_url bytea,
      mail_from text,
      changed_at timestamptz(3) not null default now(),
      changed_by uuid references users on delete set null
    )`.execute(db);
  await sql`create index installation_settings_by_admin on installation_settings (changed_by)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table installation_settings`.execute(db);
}
