import { MAX_PAGE } from '@nephos/contracts';
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { invalid } from '../core/errors.ts';
import { mentions } from './like-pattern.ts';

/** What `listPage` of the contract reads. */
export interface ListInput<Sort extends string> {
  limit?: number | undefined;
  cursor?: string | undefined;
  search?: string | undefined;
  sort?: Sort | undefined;
}

interface Order {
  /** Never null: a row without a key would be on no page. */
  key: RawBuilder<unknown>;
  direction: 'asc' | 'desc';
}

/** How a list is searched and sorted. */
export interface ListShape<Sort extends string> {
  /** Its id in the query, for example `image.id`; what has the same key goes by it. */
  id: string;
  /** What a search looks into. */
  texts: readonly Expression<unknown>[];
  /** By what it is sorted, where that is not its age. */
  orders: Readonly<Record<Exclude<Sort, 'newest' | 'oldest'>, Order>>;
}

/**
 * One page of `all` that is someone's: searched, sorted, after the row that the cursor names. Pages that follow each
 * other have every row once, whatever is added meanwhile. Throws 400 where the order needs a cursor's row that is gone.
 */
export async function readPage<DB, TB extends keyof DB, O, Sort extends string>(
  all: SelectQueryBuilder<DB, TB, O>,
  shape: ListShape<Sort>,
  { limit = MAX_PAGE, cursor, search = '', sort }: ListInput<Sort> = {},
): Promise<O[]> {
  const id = sql.ref<string>(shape.id);
  const { key, direction } = orderOf(shape, sort);
  let page = all.orderBy(key ?? id, direction).limit(limit);
  if (key) page = page.orderBy(id, direction);
  if (search !== '') page = page.where(mentions(search, shape.texts));
  if (cursor === undefined) return page.execute();

  const compare = sql.raw(direction === 'asc' ? '>' : '<');
  const row = all.clearSelect().where(sql<SqlBool>`${id} = ${cursor}`);
  const keyOfCursor = row.select((key ?? id).as('key'));
  // Not a subquery of two columns: that would not be looked up in an index.
  const after = key
    ? sql<SqlBool>`(${key}, ${id}) ${compare} ((${keyOfCursor}), ${cursor}::uuid)`
    : sql<SqlBool>`${id} ${compare} ${cursor}`;
  const rows = await page.where(after).execute();
  if (key && rows.length === 0 && !(await keyOfCursor.executeTakeFirst())) throw gone();
  return rows;
}

function orderOf<Sort extends string>(
  { orders }: ListShape<Sort>,
  sort: Sort | undefined,
): { key?: RawBuilder<unknown>; direction: 'asc' | 'desc' } {
  if (sort === undefined || sort === 'newest') return { direction: 'desc' };
  if (sort === 'oldest') return { direction: 'asc' };
  // The two that were compared are all that the type excludes; a type parameter is not narrowed by that.
  return orders[sort as Exclude<Sort, 'newest' | 'oldest'>];
}

function gone() {
  const message = "The cursor's row no longer exists. Start again from the first page.";
  return invalid(message, [{ path: 'cursor', message }]);
}
