import { type Kysely, sql } from 'kysely';

/**
 * What somebody owns belongs to a workspace. Each person has one of their own under their own id, so that no owner
 * changes; service accounts have none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column service boolean not null default false`.execute(db);
  await createWorkspaces(db);
  await createMembers(db);
  await ownPersonally(db);
  await moveOwners(db, { from: 'users', to: 'workspaces' });
  await lockOwner(db, 'workspaces');
  await nameOwner(db, 'workspaces');
}

/** A personal one without a name is called as its person is. What was charged to one outlives it: `closed_at`. */
async function createWorkspaces(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspaces (
      id uuid primary key default uuid7(),
      name text check (name is not null or personal),
      handle text not null unique,
      personal boolean not null default false,
      created_at timestamptz(3) not null default now(),
      closing_since timestamptz(3),
      closed_at timestamptz(3)
    )`.execute(db);
  await sql`
    create index workspaces_closing on workspaces (closing_since)
    where closing_since is not null and closed_at is null`.execute(db);
}

async function createMembers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspace_members (
      workspace_id uuid not null references workspaces on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null check (role in ('owner', 'admin', 'developer', 'viewer', 'billing')),
      joined_at timestamptz(3) not null default now(),
      primary key (workspace_id, user_id)
    )`.execute(db);
  await sql`create index workspace_members_of_user on workspace_members (user_id, workspace_id)`.execute(db);
  await sql`create index workspace_members_by_role on workspace_members (workspace_id, role, user_id)`.execute(
    db,
  );
  await tellMembers(db);
}

/** As `member_changed`, with the ids of the workspace and the person: what they had open there is asked again. */
async function tellMembers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_member_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('member_changed', old.workspace_id || ' ' || old.user_id);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger member_changes after delete or update of role on workspace_members
    for each row execute function tell_member_change()`.execute(db);
}

/** By triggers, so that whoever makes or deletes a person, in whatever way, does the same with their workspace. */
async function ownPersonally(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into workspaces (id, handle, personal, created_at)
    select id, handle, true, created_at from users`.execute(db);
  await sql`
    insert into workspace_members (workspace_id, user_id, role, joined_at)
    select id, id, 'owner', created_at from users`.execute(db);
  await sql`
    create function make_personal_workspace() returns trigger language plpgsql as $$
      begin
        insert into workspaces (id, handle, personal, created_at)
        values (new.id, new.handle, true, new.created_at);
        insert into workspace_members (workspace_id, user_id, role, joined_at)
        values (new.id, new.id, 'owner', new.created_at);
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger personal_workspace after insert on users
    for each row when (not new.service) execute function make_personal_workspace()`.execute(db);
  await sql`
    create function delete_personal_workspace() returns trigger language plpgsql as $$
      begin
        delete from users where service
          and id in (select user_id from workspace_members where workspace_id = old.id);
        delete from workspaces where id = old.id;
        return null;
      end
    $$`.execute(db);
  await sql`
    create trigger no_personal_workspace after delete on users
    for each row when (not old.service) execute function delete_personal_workspace()`.execute(db);
}

/**
 * Has what names an owner refer to another table: `owner_id` everywhere, and `user_id` of what is charged and metered. A
 * reply of the assistant stays its asker's, of whom alone two can be written at once.
 */
async function moveOwners(
  db: Kysely<unknown>,
  { from, to }: { from: string; to: 'users' | 'workspaces' },
): Promise<void> {
  const { rows } = await sql<{ owned: string; name: string; definition: string }>`
    select con.conrelid::regclass::text as owned, con.conname as name, pg_get_constraintdef(con.oid) as definition
    from pg_constraint con
    join pg_attribute col on col.attrelid = con.conrelid and con.conkey = array[col.attnum]
    where con.contype = 'f' and con.confrelid = ${from}::regclass
      and con.conrelid <> 'assistant_replies'::regclass
      and (col.attname = 'owner_id' or (col.attname = 'user_id' and con.conrelid = any (${CHARGED}::text[]::regclass[])))
    order by 1, 2`.execute(db);
  for (const { owned, name, definition } of rows) {
    const moved = definition.replace(`REFERENCES ${from}(`, `REFERENCES ${to}(`);
    if (moved === definition) throw new Error(`${name} is not the constraint that is to be changed.`);
    await sql`
      alter table ${sql.raw(owned)} drop constraint ${sql.ref(name)},
        add constraint ${sql.ref(name)} ${sql.raw(moved)}`.execute(db);
  }
}

/** Their `user_id` is whose it is, not who did it. */
const CHARGED = [
  'subscriptions',
  'payment_customers',
  'payment_intents',
  'payments',
  'usage_records',
  'usage_days',
  'former_resources',
];

/** Uploads are counted under the lock of whose they are. */
async function lockOwner(db: Kysely<unknown>, owners: 'users' | 'workspaces'): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select pg_get_functiondef('reserve_upload'::regproc) as text`.execute(db);
  const text = rows[0]?.text ?? '';
  const changed = text.replace(/perform from (users|workspaces) where/, `perform from ${owners} where`);
  if (changed === text) throw new Error('reserve_upload is not the function that is to be changed.');
  await sql.raw(changed).execute(db);
}

/** Names of what is deleted go with whose it was, who is gone by the time that their resources follow. */
async function nameOwner(db: Kysely<unknown>, owners: 'users' | 'workspaces'): Promise<void> {
  await sql`
    create or replace function keep_former_name() returns trigger language plpgsql as $$
      begin
        insert into former_resources (id, user_id, name)
        select old.id, old.owner_id, old.name
        where exists (select from ${sql.table(owners)} where id = old.owner_id)
        on conflict (id) do update set name = excluded.name;
        return null;
      end
    $$`.execute(db);
}

/** Refuses to go while there are things of a workspace that is nobody's own. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await nameOwner(db, 'users');
  await lockOwner(db, 'users');
  await sql`delete from users where service`.execute(db);
  await moveOwners(db, { from: 'workspaces', to: 'users' });
  await sql`drop trigger personal_workspace on users`.execute(db);
  await sql`drop trigger no_personal_workspace on users`.execute(db);
  await sql`drop function make_personal_workspace, delete_personal_workspace`.execute(db);
  await sql`drop table workspace_members, workspaces`.execute(db);
  await sql`drop function tell_member_change`.execute(db);
  await sql`alter table users drop column service`.execute(db);
}
