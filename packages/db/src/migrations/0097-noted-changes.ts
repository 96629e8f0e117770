import { type Kysely, sql } from 'kysely';

interface NotedTable {
  /**
   * Under which word the rows are told, each by the value of a column: where a call may change several, or where they are
   * part of what the call is about. Absent: the row is what the call is about.
   */
  among?: readonly [word: string, by: string];
  /** Whether new rows are told as well: else they are told by what the call was given. */
  inserted?: boolean;
  /** What is told, in the order of the columns' names. Of those with a `!` only that they were set, changed or removed. */
  columns: readonly string[];
}

const VARIABLES: NotedTable = {
  among: ['variables', 'name'],
  inserted: true,
  columns: ['!value', 'scope'],
};

/** What a record of who did what tells of rows: nothing that is not named here, so no secret. */
const TABLES: Readonly<Record<string, NotedTable>> = {
  managed_databases: { columns: ['name', 'region', 'storage_size', 'type'] },
  container_repositories: { columns: ['is_public'] },
  container_images: { columns: ['digest', 'tag'] },
  virtual_accounts: { columns: ['account_name', 'closed_at'] },
  beneficiaries: { columns: ['account_name', 'account_number', 'bank_code', 'bank_name'] },
  variable_groups: { columns: ['name'] },
  project_variables: VARIABLES,
  group_variables: VARIABLES,
  mobile_apps: {
    columns: ['branch', 'build_number', 'bundle_id', 'deployment_method', 'name', 'platform', 'version'],
  },
  alert_channels: { columns: ['enabled', 'kinds', 'name', 'project_id', 'quiet_hours', 'shown_address'] },
  custom_domains: { among: ['domains', 'domain'], columns: ['is_primary', 'redirects'] },
  domain_certificates: { columns: ['ends_at', 'https_only', 'issuer'] },
  project_disks: { among: ['disks', 'name'], columns: ['path', 'size'] },
  cron_jobs: {
    among: ['jobs', 'name'],
    columns: ['!command', 'catch_up', 'enabled', 'name', 'schedule', 'time_limit', 'time_zone'],
  },
  preview_settings: { columns: ['branches', 'days', 'enabled', 'most'] },
  push_hooks: { columns: ['enabled_at', 'paths'] },
  workspaces: { columns: ['name'] },
  workspace_members: { among: ['members', 'user_id'], columns: ['role'] },
  workspace_limits: {
    columns: ['databases', 'dns_zones', 'previews', 'projects', 'storage', 'virtual_accounts', 'workspaces'],
  },
};

/**
 * What a call changes is noted by the rows themselves, until the call's record takes it: the values are those that were
 * there, whoever else changed them meanwhile, and no statement is added.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A setting of the transaction holds what was noted, so that it goes where a savepoint or the transaction is undone.
  // Of more than fits into a record the rest is not noted.
  await sql`
    create function note_change() returns trigger language plpgsql as $$
      declare
        held text := current_setting('nephos.noted_changes', true);
        noted jsonb;
        former jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
        latter jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
        word text := tg_argv[0];
        row_name text := coalesce(former, latter) ->> tg_argv[1];
        was jsonb := '{}';
        became jsonb := '{}';
        given text;
        field text;
      begin
        if length(held) > 8000 then return null; end if;
        foreach given in array tg_argv[2:] loop
          field := ltrim(given, '!');
          continue when former -> field is not distinct from latter -> field;
          if given like '!%' then
            became := became || jsonb_build_object(note_name(field),
              case tg_op when 'INSERT' then 'set' when 'UPDATE' then 'changed' else 'removed' end);
          else
            if former is not null then was := was || jsonb_build_object(note_name(field), note_value(former -> field)); end if;
            if latter is not null then became := became || jsonb_build_object(note_name(field), note_value(latter -> field)); end if;
          end if;
        end loop;
        if was = '{}' and became = '{}' then return null; end if;
        noted := coalesce(nullif(held, ''), '{"before": {}, "after": {}}');
        if word <> '' then
          was := case was when '{}' then '{}' else jsonb_build_object(word,
            coalesce(noted -> 'before' -> word, '{}') || jsonb_build_object(row_name, was)) end;
          became := case became when '{}' then '{}' else jsonb_build_object(word,
            coalesce(noted -> 'after' -> word, '{}') || jsonb_build_object(row_name, became)) end;
        end if;
        noted := jsonb_build_object('before', noted -> 'before' || was, 'after', noted -> 'after' || became);
        perform set_config('nephos.noted_changes', noted::text, true);
        return null;
      end
    $$`.execute(db);
  await sql`
    create function note_name(field text) returns text language sql immutable as $$
      select left(field, 1) || substr(replace(initcap(replace(field, '_', ' ')), ' ', ''), 2)
    $$`.execute(db);
  await sql`
    create function note_value(value jsonb) returns jsonb language sql immutable as $$
      select case when jsonb_typeof(value) = 'string' and length(value #>> '{}') > 200
        then to_jsonb(left(value #>> '{}', 199) || '…') else value end
    $$`.execute(db);
  await sql`
    create function note_side(side jsonb) returns jsonb language sql immutable as $$
      select case when side = '{}' then null when octet_length(side::text) <= 2000 then side else
        jsonb_build_object('tooLong', true, 'fields', (
          select jsonb_agg(left(field, 40)) from (select field from jsonb_object_keys(side) field limit 20) known)) end
    $$`.execute(db);
  // What the call was given stays beside what came of it.
  await sql`
    create function with_noted_changes(record jsonb) returns jsonb language plpgsql as $$
      declare
        noted jsonb := nullif(current_setting('nephos.noted_changes', true), '');
        given jsonb := coalesce(nullif(record -> 'after', 'null'), '{}');
      begin
        if noted is null then return record; end if;
        perform set_config('nephos.noted_changes', '', true);
        return record || jsonb_build_object(
          'before', note_side(noted -> 'before'),
          'after', case when given ? 'tooLong' then given else note_side(given || (noted -> 'after')) end,
          'subject_name', coalesce(record ->> 'subject_name', noted -> 'before' ->> 'name'));
      end
    $$`.execute(db);
  for (const [table, { among = ['', 'id'], inserted, columns }] of Object.entries(TABLES)) {
    const names = columns.map((column) => column.replace('!', ''));
    await sql`
      create trigger noted after ${sql.raw(inserted ? 'insert or ' : '')}update of ${sql.join(names.map((name) => sql.ref(name)))} or delete
      on ${sql.table(table)} for each row when (pg_trigger_depth() = 0)
      execute function note_change(${sql.join([...among, ...columns].map((text) => sql.lit(text)))})`.execute(
      db,
    );
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of Object.keys(TABLES)) await sql`drop trigger noted on ${sql.table(table)}`.execute(db);
  await sql`drop function with_noted_changes, note_change, note_side, note_value, note_name`.execute(db);
}
