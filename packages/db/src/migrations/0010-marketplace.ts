import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table installations (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      item_id text not null,
      version text not null,
      status text not null default 'installing' check (status in ('installing', 'installed', 'failed')),
      inputs jsonb not null,
      step integer not null default 0,
      steps integer not null,
      doing text not null default '',
      error text not null default '',
      receipt jsonb not null default '[]',
      url text not null default '',
      created_at timestamptz(3) not null default now(),
      unique (owner_id, item_id)
    )`.execute(db);
  await sql`create index installations_of_owner on installations (owner_id, id desc)`.execute(db);
  await sql`create index installations_of_item on installations (item_id) where status <> 'failed'`.execute(
    db,
  );
  await sql`
    create function tell_installation_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          perform pg_notify('installation_changed', old.owner_id || ' ' || old.item_id);
        else
          perform pg_notify('installation_changed', new.owner_id || ' ' || new.item_id);
        end if;
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger installation_changes after delete or insert or update
    on installations for each row execute function tell_installation_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table installations`.execute(db);
  await sql`drop function tell_installation_change`.execute(db);
}
