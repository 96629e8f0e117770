import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table role_changes (
      id uuid primary key default uuid7(),
      user_id uuid not null references users on delete cascade,
      changed_by uuid references users on delete set null,
      role text not null check (role in ('admin', 'member')),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index role_changes_of_user on role_changes (user_id, id desc)`.execute(db);
  await sql`create index role_changes_by_admin on role_changes (changed_by)`.execute(db);
  await sql`create index users_by_admin on users (id) where role = 'admin'`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index users_by_admin`.execute(db);
  await sql`drop table role_changes`.execute(db);
}
