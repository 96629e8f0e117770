import { MAX_PAGE } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';

/** A page of one of the lists, searched or not. */
export interface SearchedPage {
  limit?: number | undefined;
  cursor?: string | undefined;
  search?: string | undefined;
}

/** Rows that one search looks through, so that it ends soon in an installation of any size: those after the cursor. */
const SEARCHED = 100_000;
/** People whose rows are all found, however old; a search that more people match finds the newest rows alone. */
const MAX_OWNERS = 100;

/** Whether one of the texts holds what is looked for, whatever its case; `%` and `_` are characters like others. */
export function mentions(search: string, texts: readonly Expression<unknown>[]): RawBuilder<SqlBool> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(${sql.join(
    texts.map((text) => sql`${text} ilike ${pattern}`),
    sql` or `,
  )})`;
}

/** Where someone's e-mail, name and id are searched. */
export const PERSON_TEXTS = [
  sql.ref('users.email'),
  sql`concat_ws(' ', users.first_name, users.last_name)`,
  sql`users.id::text`,
];

/** Lists of what people have, by their tables, each of which is indexed by its id, and by `user_id, id`. */
type OwnedTable = 'subscriptions' | 'payments' | 'usageRecords';

/**
 * Ids of a page of all people's rows, newest first. A search looks for an owner's id and e-mail, and in the `texts` of
 * the row, which the query calls `row`.
 */
export async function idsOfPage(
  db: Kysely<Database>,
  { table, texts }: { table: OwnedTable; texts: readonly Expression<unknown>[] },
  { limit = MAX_PAGE, cursor, search = '' }: SearchedPage,
): Promise<string[]> {
  const rows = sql`${sql.table(table)} as row`;
  const before = cursor === undefined ? sql`true` : sql`row.id < ${cursor}`;
  if (search === '') {
    return idsOf(db, sql`select row.id from ${rows} where ${before} order by row.id desc limit ${limit}`);
  }
  const owners = await findOwners(db, search);
  const own = sql`
    select row.id from (select * from ${rows} where ${before} order by row.id desc limit ${SEARCHED}) as row`;
  const byText = mentions(search, texts);
  if (owners === 'many') {
    const byOwner = mentions(search, [sql.ref('users.email'), sql`users.id::text`]);
    return idsOf(
      db,
      sql`${own} join users on users.id = row.user_id where ${byText} or ${byOwner} order by row.id desc limit ${limit}`,
    );
  }
  return idsOf(
    db,
    sql`
      (${own} where ${byText} order by row.id desc limit ${limit})
      union
      select of_owner.id from unnest(${owners}::uuid[]) as owner (id) cross join lateral (
        select row.id from ${rows} where row.user_id = owner.id and ${before} order by row.id desc limit ${limit}
      ) of_owner
      order by id desc limit ${limit}`,
  );
}

async function idsOf(db: Kysely<Database>, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${query}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whose id or e-mail holds what is looked for, among the newest people. */
async function findOwners(db: Kysely<Database>, search: string): Promise<string[] | 'many'> {
  const newest = db.selectFrom('users').select(['id', 'email']).orderBy('id', 'desc').limit(SEARCHED);
  const found = await db
    .selectFrom(newest.as('users'))
    .select('id')
    .where(mentions(search, [sql.ref('users.email'), sql`users.id::text`]))
    .limit(MAX_OWNERS + 1)
    .execute();
  return found.length > MAX_OWNERS ? 'many' : found.map(({ id }) => id);
}

/** A page of people, newest first. */
export function peopleOfPage(db: Kysely<Database>, { limit = MAX_PAGE, cursor, search = '' }: SearchedPage) {
  const newest = db
    .selectFrom('users')
    .selectAll()
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(search === '' ? limit : SEARCHED);
  return db
    .selectFrom(newest.as('users'))
    .$if(search !== '', (query) => query.where(mentions(search, PERSON_TEXTS)))
    .orderBy('users.id', 'desc')
    .limit(limit);
}
