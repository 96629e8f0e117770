import { type Kysely, sql } from 'kysely';

/** Where people reach the console, and whether the first steps of an installation are behind it: who has people is set up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table installation_settings add column public_url text, add column set_up_at timestamptz(3)`.execute(
    db,
  );
  await sql`
    insert into installation_settings (set_up_at) select now() where exists (select from users)
    on conflict (id) do update set set_up_at = excluded.set_up_at`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation_settings drop column public_url, drop column set_up_at`.execute(db);
}
