import { type Kysely, sql } from 'kysely';

/** How the columns of a record are read out of its JSON. */
const TOLD: Readonly<Record<string, string>> = {
  actor_id: "(record ->> 'actor_id')::uuid",
  ...text('actor_email', 'via', 'token_name'),
  as_whom: "(record ->> 'as_whom')::uuid",
  ...text('ip', 'request_id', 'procedure', 'subject_kind', 'subject_id', 'subject_name'),
  before: "nullif(record -> 'before', 'null')",
  after: "nullif(record -> 'after', 'null')",
  ...text('result'),
};

const COLUMNS = Object.keys(TOLD).join();

function text(...columns: string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, `record ->> '${column}'`]));
}

/** That a record will fit into its columns: else the change that it is about is undone, and nobody reads what cannot be read. */
const FITS = `
  num_nulls(${Object.values(text('actor_email', 'via', 'procedure', 'subject_kind', 'result')).join()}) = 0
  and record ->> 'via' in ('session', 'token', 'hook', 'system', 'none') and record ->> 'result' in ('done', 'refused')
  and num_nonnulls((record ->> 'actor_id')::uuid, (record ->> 'as_whom')::uuid) >= 0`;

/**
 * Records wait for their seal in a table that costs the change they are about next to nothing, and come among the others,
 * with their indexes, many at once. The version before this one writes them among the others at once, as long as it runs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unsealed_records (
      id uuid primary key default uuid7(),
      at timestamptz(3) not null default clock_timestamp(),
      chain uuid not null,
      record jsonb not null,
      check (${sql.raw(FITS)})
    )`.execute(db);
  await sql`
    create view audit_log as
    select id, at, chain, ${sql.raw(COLUMNS)}, position, hash from audit_records
    union all
    select id, at, chain, ${sql.raw(Object.values(TOLD).join())}, null, null from unsealed_records`.execute(
    db,
  );
  await sql`
    create function guard_unsealed_record() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and exists (select from audit_records where id = old.id and position is not null) then
          return old;
        end if;
        raise integrity_constraint_violation using message = 'audit records are never changed or deleted';
      end
    $$`.execute(db);
  await sql`
    create trigger guard_record before update or delete on unsealed_records
    for each row execute function guard_unsealed_record()`.execute(db);
  await sql`
    create trigger never_emptied before truncate on unsealed_records
    for each statement execute function guard_unsealed_record()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into audit_records (id, at, chain, ${sql.raw(COLUMNS)})
    select id, at, chain, ${sql.raw(COLUMNS)} from audit_log where id in (select id from unsealed_records)`.execute(
    db,
  );
  await sql`drop view audit_log`.execute(db);
  await sql`drop table unsealed_records`.execute(db);
  await sql`drop function guard_unsealed_record`.execute(db);
}
