import { type Kysely, sql } from 'kysely';

/** A backup may begin while another one is restored on trial: neither ends the other's record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unique index installation_backups_running_kind on installation_backups (kind) where status = 'running'`.execute(
    db,
  );
  await sql`drop index installation_backups_running`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    update installation_backups set status = 'failed', error = 'It was cut short.', ended_at = clock_timestamp()
    where status = 'running'`.execute(db);
  await sql`create unique index installation_backups_running on installation_backups (status) where status = 'running'`.execute(
    db,
  );
  await sql`drop index installation_backups_running_kind`.execute(db);
}
