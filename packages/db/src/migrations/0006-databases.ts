import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table managed_databases (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      name text not null,
      type text not null check (type in ('postgresql', 'mysql', 'mongodb')),
      region text not null check (region in ('us-east-1', 'us-west-2', 'eu-west-1')),
      storage_size integer not null check (storage_size between 10 and 1000),
      status text not null default 'creating' check (status in ('creating', 'available', 'failed')),
      error text not null default '',
      engine_name text not null unique,
      password bytea not null,
      next_password bytea,
      created_at timestamptz(3) not null default now(),
      changed_at timestamptz(3) not null default now(),
      unique (owner_id, name)
    )`.execute(db);
  await sql`create index managed_databases_of_owner on managed_databases (owner_id, id desc)`.execute(db);
  await sql`
    create function tell_database_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          perform pg_notify('database_changed', old.owner_id || ' ' || old.id);
          return old;
        end if;
        new.changed_at = clock_timestamp();
        perform pg_notify('database_changed', new.owner_id || ' ' || new.id);
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger database_changes
    before delete or insert or update of name, status, error, storage_size
    on managed_databases for each row execute function tell_database_change()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table managed_databases`.execute(db);
  await sql`drop function tell_database_change`.execute(db);
}
