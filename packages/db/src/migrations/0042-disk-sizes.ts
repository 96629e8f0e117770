import { type Kysely, sql } from 'kysely';

/** Disks have a size in MB: at first the default, or what they hold. Whether it is kept is known once they are measured. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table project_disks add column limited boolean, add column size integer`.execute(db);
  await sql`update project_disks set size = greatest(1024, ceil(bytes / 1048576.0))`.execute(db);
  await sql`alter table project_disks alter column size set not null, add check (size > 0)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table project_disks drop column limited, drop column size`.execute(db);
}
