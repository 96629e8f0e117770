import { type Kysely, sql } from 'kysely';

/** Disks of projects. What is on them is metered with the owner's files, and so counts against the plan's storage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project_disks (
      id uuid primary key default uuid7(),
      owner_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      name text not null,
      path text not null,
      bytes bigint not null default 0 check (bytes >= 0),
      measured_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      unique (project_id, name),
      unique (project_id, path)
    )`.execute(db);
  await sql`create index project_disks_of_owner on project_disks (owner_id)`.execute(db);
  await sql`
    create function meter_disk() returns trigger language plpgsql as $$
      begin
        perform change_usage_level(coalesce(new.owner_id, old.owner_id), 'storage', null, change)
        from (select coalesce(new.bytes, 0) - coalesce(old.bytes, 0) as change) c
        where change <> 0;
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger project_disk_meter after insert or delete or update of bytes
    on project_disks for each row execute function meter_disk()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from project_disks`.execute(db);
  await sql`drop table project_disks`.execute(db);
  await sql`drop function meter_disk()`.execute(db);
}
