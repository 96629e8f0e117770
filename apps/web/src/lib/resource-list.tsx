import { lazy, type ReactNode, Suspense, useState } from 'react';
import { CardGrid } from '../ui/card-grid.tsx';
import type { Column } from '../ui/data-rows.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { PagedList } from './keyset-pages.ts';
import type { ListView } from './list-view.ts';
import { LoadFailure } from './load-failure.tsx';

/** The most things that are shown without a search: one finds one of so many with one's eyes. */
export const MOST_WITHOUT_SEARCH = 24;

export interface ResourceListProps<Row, Sort extends string> {
  /** Accessible name, for example 'Projects'. */
  label: string;
  /** One thing and several, for example `['project', 'projects']`. */
  nouns: readonly [string, string];
  list: PagedList<Row>;
  view: ListView<Sort>;
  /** What `updated` means of these things, for example 'Last deployed'. */
  updatedLabel?: string;
  /** A few things are cards; absent, they are a table too. */
  card?: (row: Row) => ReactNode;
  columns: readonly Column<Row>[];
  /** A hook, called for each row: what stands below it. */
  useBelow?: (row: Row) => ReactNode;
  /** Narrows the list beside the search, however few things there are. */
  filter?: ReactNode;
  /** How many there are altogether, where that is known. */
  count?: number | undefined;
  /** Stands where there are none. */
  empty: ReactNode;
}

/** Most accounts have a few things of each kind, and do without its search and its rows. */
const importLongList = () => import('./long-list.tsx').then(({ LongList }) => ({ default: LongList }));
const LongList = lazy(importLongList);

/** Fetches what draws many things; whether that works, is seen when they are drawn. */
export function preloadLongList(): void {
  importLongList().catch(() => undefined);
}

/** What somebody has of one kind: cards while they are few, else a table of any length with a search and orders. */
export function ResourceList<Row extends { id: string }, Sort extends string>(
  props: ResourceListProps<Row, Sort>,
) {
  const { label, nouns, list, card, filter, empty } = props;
  const rows = list.data?.pages.flat();
  // Whoever empties the search is in its box, which has to stay.
  const [searched, setSearched] = useState(false);
  if (props.view.words !== undefined && !searched) setSearched(true);
  const few = rows !== undefined && !searched && isFew(props, rows.length);
  if (few && rows.length === 0 && !filter) return empty;
  if (few && card) {
    return (
      <>
        {list.error && !list.isFetchNextPageError && (
          <div className="mb-4">
            <LoadFailure query={list} failure={`Failed to load the ${nouns[1]}`} />
          </div>
        )}
        <CardGrid label={label} rows={rows}>
          {card}
        </CardGrid>
      </>
    );
  }
  // Its rows and columns are of one type, whatever that is: `lazy` has no generic components.
  const any = props as unknown as ResourceListProps<{ id: string }, string>;
  return (
    <Suspense fallback={<Skeleton className="h-9 max-w-md" />}>
      <LongList {...any} few={few} />
    </Suspense>
  );
}

/** Not told by rows that stand in for others: while those come, the search box has to stay where it is. */
function isFew<Row, Sort extends string>(
  { list, view }: ResourceListProps<Row, Sort>,
  count: number,
): boolean {
  if (view.words !== undefined || view.sort !== 'newest' || list.isPlaceholderData) return false;
  return count <= MOST_WITHOUT_SEARCH && !list.hasNextPage;
}
