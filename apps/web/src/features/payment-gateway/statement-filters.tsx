import type { StatementLine, VirtualAccount } from '@nephos/contracts';
import { statementCsvPath, statementFileName } from '@nephos/contracts/constants';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { CallError } from '../../lib/errors.ts';
import { fetchBlob } from '../../lib/fetch-blob.ts';
import { saveBlob } from '../../lib/save-blob.ts';
import { useAction } from '../../lib/use-action.ts';
import { WordsInput } from '../../lib/words-input.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { StatementFilter } from './statement-search.ts';

/** Stands for no filter. */
const ALL = '*';

const NAMES = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** What moved the money of a statement's line, in a word. */
export const KIND_NAMES: Record<StatementLine['kind'], string> = {
  sent: 'Sent',
  received: 'Received',
  returned: 'Returned',
};

const KINDS = ['sent', 'received', 'returned'] as const;

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
          { value: ALL, label: 'All types' },
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

interface DownloadStatementProps {
  account: VirtualAccount;
  /** For example `2026-11`. */
  month: string;
}

/** A month of the statement as a file for a spreadsheet, whatever else narrows what is shown. */
function DownloadStatement({ account: { id, accountNumber }, month }: DownloadStatementProps) {
  const download = useAction(
    useMutation<Blob, CallError>({ mutationFn: () => fetchBlob(statementCsvPath(id, month)) }),
    {
      failure: 'Failed to download the statement',
      serverSpeaks: true,
      onDone: (csv) => saveBlob(csv, statementFileName(accountNumber, month)),
    },
  );
  return (
    <Button
      title={`All of ${monthName(month)} (UTC)`}
      pending={download.pending}
      onClick={() => download.run()}
      className="max-sm:w-full"
    >
      {!download.pending && <Download aria-hidden="true" />}
      Download CSV
      <span className="text-muted">{monthName(month)}</span>
    </Button>
  );
}

/** Calendar month in UTC of an epoch time in milliseconds, as `2026-11`. */
function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** `2026-11` as `November 2026`. */
export function monthName(month: string): string {
  return NAMES.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** The months of an account's statement, newest first: from that of `since`, an ISO instant, to that of `now`. */
export function monthsBetween(since: string, now: number): string[] {
  const first = monthOf(Date.parse(since));
  // The browser's clock may be behind the server's.
  const date = new Date(Math.max(now, Date.parse(since)));
  date.setUTCDate(1);
  const months: string[] = [];
  for (let month = monthOf(date.getTime()); month >= first; month = monthOf(date.getTime())) {
    months.push(month);
    date.setUTCMonth(date.getUTCMonth() - 1);
  }
  return months;
}
