import { type ReactNode, type RefObject, useLayoutEffect } from 'react';
import { Select } from '../ui/select.tsx';
import type { ListView } from './list-view.ts';
import { WordsInput } from './words-input.tsx';

const SORT_LABELS: Readonly<Record<string, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name',
  size: 'Largest first',
};

export interface ListToolbarProps<Sort extends string> {
  /** One thing and several. */
  nouns: readonly [string, string];
  view: ListView<Sort>;
  updatedLabel?: string;
  filter?: ReactNode;
  /** Whether there is too little to search. */
  few: boolean;
  search: RefObject<HTMLInputElement | null>;
}

/** What narrows a list and puts it in order. */
export function ListToolbar<Sort extends string>({
  nouns,
  view,
  updatedLabel,
  filter,
  few,
  search,
}: ListToolbarProps<Sort>) {
  useSlash(search);
  if (few) return filter;
  const options = view.sorts.map((sort) => ({
    value: sort,
    label: SORT_LABELS[sort] ?? updatedLabel ?? sort,
  }));
  return (
    <div className="flex grow flex-wrap gap-2">
      <WordsInput
        inputRef={search}
        label={`Search ${nouns[1]}`}
        words={view.words}
        onWordsChange={view.setWords}
        className="max-w-md grow basis-56 max-sm:max-w-none max-sm:basis-full"
      />
      {filter}
      <Select
        aria-label="Sort by"
        value={view.sort}
        onValueChange={(sort) => view.setSort(sort as Sort)}
        options={options}
        className="min-w-0 max-sm:flex-1 sm:w-44"
      />
    </div>
  );
}

/** The key / leads to the search from wherever nothing is being typed and nothing lies above the page. */
function useSlash(search: RefObject<HTMLInputElement | null>) {
  // Before the page is painted, as shortcuts are.
  useLayoutEffect(() => {
    function lead(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target))
        return;
      if (!search.current) return;
      event.preventDefault();
      search.current.focus();
      search.current.select();
    }
    window.addEventListener('keydown', lead);
    return () => window.removeEventListener('keydown', lead);
  }, [search]);
}

function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]',
    ) !== null
  );
}
