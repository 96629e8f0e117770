import { SearchX } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { DataList } from '../ui/data-list.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { WindowRows } from '../ui/window-rows.tsx';
import { nextPages } from './keyset-pages.ts';
import { ListToolbar } from './list-toolbar.tsx';
import { LoadFailure } from './load-failure.tsx';
import type { ResourceListProps } from './resource-list.tsx';

type Props = ResourceListProps<{ id: string }, string>;

/** Rows of any number in a table, or in compact cards on a phone; `few` of them need no search. */
export function LongList({ few, ...props }: Props & { few: boolean }) {
  const { label, nouns, list, view, columns, useBelow, empty } = props;
  const search = useRef<HTMLInputElement>(null);

  function clear() {
    search.current?.focus();
    view.setWords(undefined);
  }

  const failed = list.error !== null && !list.isFetchNextPageError;
  return (
    <section aria-label={label}>
      <DataList
        windowed={WindowRows}
        label={label}
        columns={columns}
        rows={list.data?.pages.flat()}
        {...(useBelow && { useBelow })}
        loading={`Loading ${nouns[1]}`}
        filter={<ListToolbar {...props} few={few} search={search} />}
        status={statusOf(props)}
        stale={list.isPlaceholderData}
        failure={failed && <LoadFailure query={list} failure={`Failed to load the ${nouns[1]}`} />}
        empty={view.words === undefined ? empty : <NoMatches {...props} onClear={clear} />}
        more={nextPages(list, nouns[1])}
      />
    </section>
  );
}

/** How many there are, for those who see it and those who hear it. */
function statusOf({ list, nouns, count }: Props): string {
  if (!list.data) return '';
  const fetched = list.data.pages.reduce((sum, page) => sum + page.length, 0);
  const total = count ?? fetched;
  const more = count === undefined && list.hasNextPage;
  return `${total.toLocaleString('en')}${more ? '+' : ''} ${total === 1 ? nouns[0] : nouns[1]}`;
}

function NoMatches({ nouns, view, onClear }: Props & { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title={`No ${nouns[1]} found`}
      description={<span className="break-words">Nothing matches “{view.words}”.</span>}
      action={<Button onClick={onClear}>Clear search</Button>}
    />
  );
}
