import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type LucideIcon, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CallError } from '../../lib/errors.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { WordsInput } from '../../lib/words-input.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { useAdminView } from './admin-search.ts';
import type { Column } from './column.ts';
import { RowCards } from './row-cards.tsx';
import { RowSkeleton } from './row-skeleton.tsx';
import { RowTable } from './row-table.tsx';

export interface RowListProps<Row> {
  list: Pick<
    UseInfiniteQueryResult<InfiniteData<Row[]>, CallError>,
    | 'data'
    | 'error'
    | 'refetch'
    | 'isFetching'
    | 'isPlaceholderData'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'isFetchNextPageError'
    | 'fetchNextPage'
  >;
  columns: readonly Column<Row>[];
  /** Accessible name, for example 'Users'. */
  label: string;
  /** One row and several, for example `['user', 'users']`. */
  nouns: readonly [string, string];
  icon: LucideIcon;
  /** Texts of specification §2. */
  loading: string;
  empty: string;
  /** What the rows are, where there are none. */
  explanation: string;
  /** What can be searched. */
  searchLabel: string;
}

/** One of the page's lists: its search, its rows as far as they were fetched, and the way to more. */
export function RowList<Row extends { id: string }>(props: RowListProps<Row>) {
  const { list, label, nouns, searchLabel } = props;
  const { words, setWords } = useAdminView();
  return (
    <section aria-label={label} aria-busy={list.isPlaceholderData || undefined}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <WordsInput
          label={searchLabel}
          words={words}
          onWordsChange={setWords}
          className="max-w-md grow basis-56 max-sm:basis-full"
        />
        <p role="status" className="text-muted text-sm tabular-nums">
          {stateOf(props)}
        </p>
      </div>
      <Contents {...props} />
      {list.hasNextPage && (
        <ShowMore
          pending={list.isFetchingNextPage}
          failure={list.isFetchNextPageError ? `More ${nouns[1]} could not be loaded.` : undefined}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </section>
  );
}

/** How far the list is, for those who see it and those who hear it. */
function stateOf<Row>({ list, loading, nouns: [one, many] }: RowListProps<Row>): string {
  if (!list.data) return list.error ? '' : loading;
  const count = list.data.pages.flat().length;
  if (count === 0) return '';
  if (list.hasNextPage) return `The newest ${count} ${many}`;
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

function Contents<Row extends { id: string }>(props: RowListProps<Row>): ReactNode {
  const { list, columns, label, nouns } = props;
  const failure = <LoadFailure query={list} failure={`Failed to load the ${nouns[1]}`} />;
  if (!list.data) return list.error ? failure : <RowSkeleton label={label} columns={columns} />;
  const rows = list.data.pages.flat();
  if (rows.length === 0) return <Empty {...props} />;
  return (
    <>
      {list.error && !list.isFetchNextPageError && <div className="mb-4">{failure}</div>}
      <TableOrCards
        className={classNames('transition-opacity', list.isPlaceholderData && 'opacity-55')}
        table={<RowTable label={label} columns={columns} rows={rows} />}
        cards={<RowCards label={label} columns={columns} rows={rows} />}
      />
    </>
  );
}

function Empty<Row>({ icon, empty, explanation, nouns }: RowListProps<Row>) {
  const { words, setWords } = useAdminView();
  if (words === undefined) return <EmptyState icon={icon} title={empty} description={explanation} />;
  return (
    <EmptyState
      icon={SearchX}
      title={empty}
      description={<span className="break-words">Nothing here has “{words}” in it.</span>}
      action={<Button onClick={() => setWords(undefined)}>{`Show all ${nouns[1]}`}</Button>}
    />
  );
}
