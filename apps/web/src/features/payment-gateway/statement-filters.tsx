import type { StatementLine, VirtualAccount } from '@nephos/contracts';
import { WordsInput } from '../../lib/words-input.tsx';
import { Select } from '../../ui/select.tsx';
import { DownloadStatement } from './download-statement.tsx';
import { KIND_NAMES } from './kind-names.ts';
import { monthName, monthsBetween } from './statement-months.ts';
import type { StatementFilter } from './statement-search.ts';

/** Stands for no filter. */
const ALL = '*';

export interface StatementFiltersProps {
  account: VirtualAccount;
  filter: StatementFilter;
  onChange: (changes: StatementFilter) => void;
}

/** Narrows a statement by words, kind and month, and saves a month of it. */
export function StatementFilters({ account, filter, onChange }: StatementFiltersProps) {
  const months = monthsBetween(account.createdAt, Date.now());
  // The address may name one before the account.
  const offered = filter.month && !months.includes(filter.month) ? [...months, filter.month] : months;
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <WordsInput
        label="Search the statement"
        words={filter.q}
        onWordsChange={(q) => onChange({ q })}
        className="grow basis-56 max-sm:basis-full"
      />
      <Select
        aria-label="Kind"
        value={filter.kind ?? ALL}
        onValueChange={(kind) => onChange({ kind: kind === ALL ? undefined : kind })}
        options={[
          { value: ALL, label: 'All kinds' },
          ...KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] })),
        ]}
        className="max-sm:w-auto max-sm:flex-1 sm:w-36"
      />
      <Select
        aria-label="Month"
        value={filter.month ?? ALL}
        onValueChange={(month) => onChange({ month: month === ALL ? undefined : month })}
        options={[
          { value: ALL, label: 'All months' },
          ...offered.map((month) => ({ value: month, label: monthName(month) })),
        ]}
        className="max-sm:w-auto max-sm:flex-1 sm:w-44"
      />
      <DownloadStatement account={account} month={filter.month ?? months[0] ?? ''} />
    </div>
  );
}

// The order of the contract, which is that of the object.
const KINDS = Object.keys(KIND_NAMES) as StatementLine['kind'][];
