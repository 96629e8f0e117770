import { type Kysely, sql } from 'kysely';

/** Records are chained by hashes, one chain for each workspace and one for the installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_chains (
      chain uuid primary key,
      position bigint not null,
      hash bytea not null,
      swept_position bigint not null default 0,
      swept_hash bytea not null default decode(repeat('00', 32), 'hex')
    )`.execute(db);
  await sql`
    create unique index audit_records_by_position on audit_records (chain, position)
    where position is not null`.execute(db);
  await sql`create index audit_records_unsealed on audit_records (id) where position is null`.execute(db);
  await sql`
    create function guard_audit_record() returns trigger language plpgsql as $$
      declare
        unsealed audit_records;
      begin
        if tg_op = 'UPDATE' then
          unsealed := new;
          unsealed.position := null;
          unsealed.hash := null;
          if old.position is null and unsealed is not distinct from old then return new; end if;
        elsif tg_op = 'DELETE' then
          if old.position <= (select swept_position from audit_chains where chain = old.chain) then
            return old;
          end if;
        end if;
        raise integrity_constraint_violation using message = 'audit records are never changed or deleted';
      end
    $$`.execute(db);
  await sql`
    create trigger guard_record before update or delete on audit_records
    for each row execute function guard_audit_record()`.execute(db);
  await sql`
    create trigger never_emptied before truncate on audit_records
    for each statement execute function guard_audit_record()`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger never_emptied on audit_records`.execute(db);
  await sql`drop trigger guard_record on audit_records`.execute(db);
  await sql`drop function guard_audit_record`.execute(db);
  await sql`drop index audit_records_unsealed, audit_records_by_position`.execute(db);
  await sql`drop table audit_chains`.execute(db);
  await sql`update audit_records set position = null, hash = null`.execute(db);
}
