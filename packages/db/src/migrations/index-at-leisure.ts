import { type Kysely, sql } from 'kysely';

/**
 * Makes an index while others read and write its table, outside of a transaction. It waits for theirs, however long they take,
 * and keeps nobody waiting. What an earlier try left half is made anew.
 */
export async function indexAtLeisure(
  db: Kysely<unknown>,
  name: string,
  on: string,
  { unique = false } = {},
): Promise<void> {
  await sql`set lock_timeout = 0`.execute(db);
  try {
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
    const kind = sql.raw(unique ? 'unique index' : 'index');
    await sql`create ${kind} concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
  } finally {
    await sql`reset lock_timeout`.execute(db);
  }
}
