import { type Kysely, sql } from 'kysely';

/** Who lets administrators sign in in their name, and the sessions of those, which end with that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sign_in_consents (
      user_id uuid primary key references users on delete cascade,
      ends_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`
    alter table sessions
      add column impersonator_id uuid references users on delete cascade,
      add column ends_at timestamptz(3),
      add check ((impersonator_id is null) = (ends_at is null))`.execute(db);
  await sql`
    create index sessions_of_impersonators on sessions (impersonator_id)
    where impersonator_id is not null`.execute(db);
}

/** To the release before they would be sessions as any other. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from sessions where impersonator_id is not null`.execute(db);
  await sql`alter table sessions drop column impersonator_id, drop column ends_at`.execute(db);
  await sql`drop table sign_in_consents`.execute(db);
}
