import { type Kysely, sql } from 'kysely';

/** What is metered under an id of its own, and has a name. */
const METERED = ['projects', 'managed_databases', 'container_repositories'] as const;

/**
 * Keeps the names of deleted resources, since their usage stays. Those of a person who is deleted go with that person,
 * who is gone by the time that their resources follow.
 */
export async function keepFormerNames(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table former_resources (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null
    )`.execute(db);
  await sql`create index former_resources_of_user on former_resources (user_id)`.execute(db);
  await sql`
    create function keep_former_name() returns trigger language plpgsql as $$
      begin
        insert into former_resources (id, user_id, name)
        select old.id, old.owner_id, old.name where exists (select from users where id = old.owner_id)
        on conflict (id) do update set name = excluded.name;
        return null;
      end
    $$`.execute(db);
  for (const table of METERED) {
    await sql`
      create trigger former_name after delete on ${sql.table(table)}
      for each row execute function keep_former_name()`.execute(db);
  }
}

export async function dropFormerNames(db: Kysely<unknown>): Promise<void> {
  for (const table of METERED) await sql`drop trigger former_name on ${sql.table(table)}`.execute(db);
  await sql`drop function keep_former_name`.execute(db);
  await sql`drop table former_resources`.execute(db);
}
