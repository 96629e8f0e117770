import { type LucideIcon, SearchX } from 'lucide-react';
import { nextPages, type PagedList } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { WordsInput } from '../../lib/words-input.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useAdminView } from './admin-search.ts';

export interface RowListProps<Row> {
  list: PagedList<Row>;
  columns: readonly Column<Row>[];
  /** Accessible name, for example 'Users'. */
  label: string;
  /** One row and several, for example `['user', 'users']`. */
  nouns: readonly [string, string];
  icon: LucideIcon;
  loading: string;
  empty: string;
  /** What the rows are, where there are none. */
  explanation: string;
  /** What can be searched. */
  searchLabel: string;
}

/** One of the page's lists: its search, its rows as far as they were fetched, and the way to more. */
export function RowList<Row extends { id: string }>(props: RowListProps<Row>) {
  const { list, columns, label, nouns, searchLabel } = props;
  const { words, setWords } = useAdminView();
  const failed = list.error !== null && !list.isFetchNextPageError;
  return (
    <section aria-label={label}>
      <DataList
        label={label}
        columns={columns}
        rows={list.data?.pages.flat()}
        filter={
          <WordsInput
            label={searchLabel}
            words={words}
            onWordsChange={setWords}
            className="max-w-md grow basis-56 max-sm:basis-full"
          />
        }
        status={stateOf(props)}
        stale={list.isPlaceholderData}
        failure={failed && <LoadFailure query={list} failure={`Failed to load ${nouns[1]}`} />}
        empty={<Empty {...props} />}
        more={nextPages(list, nouns[1])}
      />
    </section>
  );
}

/** How far the list is, for those who see it and those who hear it. */
function stateOf<Row>({ list, loading, nouns: [one, many] }: RowListProps<Row>): string {
  if (!list.data) return list.error ? '' : loading;
  const count = list.data.pages.flat().length;
  if (count === 0) return '';
  if (list.hasNextPage) return `Newest ${count} ${many}`;
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

function Empty<Row>({ icon, empty, explanation, nouns }: RowListProps<Row>) {
  const { words, setWords } = useAdminView();
  if (words === undefined) return <EmptyState icon={icon} title={empty} description={explanation} />;
  return (
    <EmptyState
      icon={SearchX}
      title={empty}
      description={<span className="break-words">Nothing matches “{words}”.</span>}
      action={<Button onClick={() => setWords(undefined)}>{`Show all ${nouns[1]}`}</Button>}
    />
  );
}
