import { Id, MAX_PAGE } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { mentions } from '../../platform/like-pattern.ts';

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

const USER_TEXTS = [sql`users.email`, sql`users.id`];
const PERSON_TEXTS = [...USER_TEXTS, sql`concat_ws(' ', users.first_name, users.last_name)`];
/** What is owned is a person's, or a shared workspace's. */
const OWNER_TEXTS = [...USER_TEXTS, sql`workspaces.name`];

/** The newest shared workspaces whose name holds what is looked for. */
function workspacesNamed(search: string): RawBuilder<unknown> {
  return sql`(
    select * from (select * from workspaces where not personal order by id desc limit ${SEARCHED}) workspaces
    where ${mentions(search, [sql`workspaces.name`])})`;
}

/** Who is called by their whole email or id: found by an index, however many came after them. */
function named(search: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(users.email = lower(${search})${Id.safeParse(search).success ? sql` or users.id = ${search}` : sql``})`;
}

/** Lists of what people have, by their tables, each of which is indexed by its id, and by `user_id, id`. */
type OwnedTable = 'subscriptions' | 'payments' | 'usageRecords';

/**
 * Ids of a page of all people's rows, newest first. A search looks for an owner's id and email, and in the `texts` of
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
    const byOwner = mentions(search, OWNER_TEXTS);
    return idsOf(
      db,
      sql`
        ${own} left join users on users.id = row.user_id left join workspaces on workspaces.id = row.user_id
        where ${byText} or ${byOwner} order by row.id desc limit ${limit}`,
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

/** Finds the newest people and workspaces whose id, email or name holds what is looked for, and who is called just that. */
async function findOwners(db: Kysely<Database>, search: string): Promise<string[] | 'many'> {
  const newest = sql`(select * from users order by id desc limit ${SEARCHED}) users`;
  const found = await idsOf(
    db,
    sql`
      (select id from ${newest} where ${mentions(search, USER_TEXTS)} limit ${MAX_OWNERS + 1})
      union (select id from ${workspacesNamed(search)} found limit ${MAX_OWNERS + 1})
      union select id from users where ${named(search)}`,
  );
  return found.length > MAX_OWNERS ? 'many' : found;
}

/** Ids of a page of people, newest first; a search finds the members of the newest workspaces by their name, too. */
export function idsOfPeople(
  db: Kysely<Database>,
  { limit = MAX_PAGE, cursor, search = '' }: SearchedPage,
): Promise<string[]> {
  const before = sql`not service and ${cursor === undefined ? sql`true` : sql`users.id < ${cursor}`}`;
  const newest = sql`select * from users where ${before} order by id desc`;
  if (search === '') return idsOf(db, sql`select id from (${newest} limit ${limit}) users`);
  return idsOf(
    db,
    sql`
      (select id from (${newest} limit ${SEARCHED}) users where ${mentions(search, PERSON_TEXTS)}
        order by id desc limit ${limit})
      union select id from users where ${named(search)} and ${before}
      union select member.id from (select id from ${workspacesNamed(search)} named order by id desc limit ${MAX_OWNERS}) found
        cross join lateral (
          select users.id from workspace_members join users on users.id = workspace_members.user_id
          where workspace_members.workspace_id = found.id and ${before}
          order by workspace_members.user_id desc limit ${limit}
        ) member
      order by id desc limit ${limit}`,
  );
}
