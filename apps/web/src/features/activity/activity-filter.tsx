import { AUDIT_SUBJECTS, type AuditSubject } from '@nephos/contracts/constants';
import { WordsInput } from '../../lib/words-input.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { type Span, useActivityView } from './activity-search.ts';
import { KIND_WORDS } from './activity-words.ts';

const KINDS: readonly { value: AuditSubject | 'all'; label: string }[] = [
  { value: 'all', label: 'Everything' },
  ...AUDIT_SUBJECTS.map((value) => ({ value, label: KIND_WORDS[value] })),
];

const SPANS: readonly { value: Span | 'all'; label: string }[] = [
  { value: 'all', label: 'Any time' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
];

/** What narrows the list, kept in the address. */
export function ActivityFilter() {
  const {
    search: { q, kind, span, by, thing },
    change,
  } = useActivityView();
  return (
    <div className="flex min-w-0 grow flex-wrap items-center gap-2">
      <WordsInput
        label="Search activity by person, action, thing or address"
        words={q}
        onWordsChange={(words) => change({ q: words })}
        className="max-w-md grow basis-56 max-sm:basis-full"
      />
      <Select
        aria-label="Kind of thing"
        value={kind ?? 'all'}
        options={KINDS}
        onValueChange={(value) => change({ kind: value === 'all' ? undefined : value })}
        className="w-44!"
      />
      <Select
        aria-label="Time"
        value={span ?? 'all'}
        options={SPANS}
        onValueChange={(value) => change({ span: value === 'all' ? undefined : value })}
        className="w-36!"
      />
      {(by ?? thing) && (
        <Button size="sm" onClick={() => change({ by: undefined, thing: undefined })}>
          {by ? 'Show everybody' : 'Show all things'}
        </Button>
      )}
    </div>
  );
}
