import { type Kysely, sql } from 'kysely';

/** Roles that somebody has since their provider says that they are in a group: these alone does it take away again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identities add column groups text[] not null default '{}'`.execute(db);
  await sql`alter table pending_identities add column groups text[] not null default '{}'`.execute(db);
  await sql`alter table workspace_members add column from_group boolean not null default false`.execute(db);
  await sql`alter table users add column admin_from_group boolean not null default false`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop column admin_from_group`.execute(db);
  await sql`alter table workspace_members drop column from_group`.execute(db);
  await sql`alter table pending_identities drop column groups`.execute(db);
  await sql`alter table identities drop column groups`.execute(db);
}
