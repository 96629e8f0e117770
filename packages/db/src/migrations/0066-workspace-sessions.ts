import { type Kysely, sql } from 'kysely';

/**
 * Sessions, tokens and conversations are of a person in a workspace, and tell so to the database: who is no member any
 * more has neither, from the commit on. A session without one is in its person's own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions add column workspace_id uuid,
      add constraint sessions_workspace foreign key (workspace_id, user_id)
        references workspace_members (workspace_id, user_id) on delete set null (workspace_id)`.execute(db);
  await sql`
    create index sessions_of_workspace on sessions (workspace_id, user_id) where workspace_id is not null`.execute(
    db,
  );
  await bindTokens(db);
  await bindConversations(db);
}

/** `resource_id` is no reference: what a token is bound to may go, and the token then opens nothing. */
async function bindTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table access_tokens add column workspace_id uuid,
      add column resource_kind text check (resource_kind in ('project', 'bucket', 'repository', 'zone', 'database')),
      add column resource_id uuid,
      add check ((resource_kind is null) = (resource_id is null))`.execute(db);
  await sql`update access_tokens set workspace_id = user_id`.execute(db);
  await defaultTo(db, 'access_tokens', { column: 'workspace_id', value: 'user_id' });
  await sql`
    alter table access_tokens alter column workspace_id set not null,
      add constraint access_tokens_workspace foreign key (workspace_id, user_id)
        references workspace_members (workspace_id, user_id) on delete cascade`.execute(db);
  await sql`
    create index access_tokens_of_workspace on access_tokens (workspace_id, user_id, id desc)`.execute(db);
}

/** Nobody reads what another member asked. */
async function bindConversations(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assistant_sessions add column user_id uuid`.execute(db);
  await sql`update assistant_sessions set user_id = owner_id`.execute(db);
  await defaultTo(db, 'assistant_sessions', { column: 'user_id', value: 'owner_id' });
  await sql`
    alter table assistant_sessions alter column user_id set not null,
      add constraint assistant_sessions_member foreign key (owner_id, user_id)
        references workspace_members (workspace_id, user_id) on delete cascade`.execute(db);
  await sql`drop index assistant_sessions_of_owner`.execute(db);
  await sql`
    create index assistant_sessions_of_member on assistant_sessions (owner_id, user_id, id desc)`.execute(db);
}

/** Servers of the release before do not know the column: what they write is of a personal workspace. */
async function defaultTo(
  db: Kysely<unknown>,
  table: string,
  { column, value }: { column: string; value: string },
): Promise<void> {
  await sql`
    create function ${sql.ref(`default_${table}_${column}`)}() returns trigger language plpgsql as $$
      begin
        new.${sql.ref(column)} := new.${sql.ref(value)};
        return new;
      end
    $$`.execute(db);
  await sql`
    create trigger ${sql.ref(`default_${column}`)} before insert on ${sql.table(table)}
    for each row when (new.${sql.ref(column)} is null)
    execute function ${sql.ref(`default_${table}_${column}`)}()`.execute(db);
}

/** What the release before would take for its person's alone, it must not find: there a token opens all they have. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from access_tokens where workspace_id <> user_id or resource_kind is not null`.execute(db);
  await sql`delete from assistant_sessions where user_id <> owner_id`.execute(db);
  await sql`drop index assistant_sessions_of_member`.execute(db);
  await sql`
    create index assistant_sessions_of_owner on assistant_sessions (owner_id, id desc)`.execute(db);
  await sql`drop trigger default_user_id on assistant_sessions`.execute(db);
  await sql`drop function default_assistant_sessions_user_id`.execute(db);
  await sql`alter table assistant_sessions drop column user_id`.execute(db);
  await sql`drop trigger default_workspace_id on access_tokens`.execute(db);
  await sql`drop function default_access_tokens_workspace_id`.execute(db);
  await sql`
    alter table access_tokens drop column workspace_id, drop column resource_kind, drop column resource_id`.execute(
    db,
  );
  await sql`alter table sessions drop column workspace_id`.execute(db);
}
