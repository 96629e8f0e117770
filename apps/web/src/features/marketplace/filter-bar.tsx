import { useEffect, useRef, useState } from 'react';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import type { CatalogueFilter } from './catalogue-filter.ts';

/** Stands for no filter; no category is called so. */
const ALL = '*';

export interface FilterBarProps {
  filter: CatalogueFilter;
  onFilterChange: (filter: CatalogueFilter) => void;
  categories: readonly string[];
}

/** Narrows the catalogue by words and by category. */
export function FilterBar({ filter, onFilterChange, categories }: FilterBarProps) {
  const { category } = filter;
  const options = [
    { value: ALL, label: 'All Categories' },
    ...categories.map((name) => ({ value: name, label: name })),
  ];
  // The address may name one that the catalogue does not have.
  if (category !== undefined && !categories.includes(category)) {
    options.push({ value: category, label: category });
  }
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <SearchBox text={filter.text} onTextChange={(text) => onFilterChange({ ...filter, text })} />
      <Select
        aria-label="Category"
        value={category ?? ALL}
        onValueChange={(chosen) =>
          onFilterChange({ ...filter, category: chosen === ALL ? undefined : chosen })
        }
        options={options}
        className="sm:w-56"
      />
    </div>
  );
}

interface SearchBoxProps {
  text: string;
  onTextChange: (text: string) => void;
}

/** Shows what is typed at once: the address, where it is kept, comes a moment later. */
function SearchBox({ text, onTextChange }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);

  // A link may change it; whoever is typing is not interrupted by what they typed a moment ago.
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(text);
  }, [text]);

  return (
    <SearchInput
      ref={input}
      label="Search the marketplace"
      value={typed}
      onChange={({ target: { value } }) => {
        setTyped(value);
        onTextChange(value);
      }}
      className="grow basis-64"
    />
  );
}
