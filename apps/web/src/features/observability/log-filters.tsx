import type { LogLine, Outputs } from '@nephos/contracts';
import { Download } from 'lucide-react';
import { useId } from 'react';
import { WordsInput } from '../../lib/words-input.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { type LogsSearch, STREAM_NAMES, TIME_RANGES, type TimeRange } from './logs-search.ts';

/** Stands for no filter, and for two instants in the place of a range. */
const ALL = '*';
const CUSTOM = 'custom';

const STREAMS = ['stdout', 'stderr', 'system'] as const satisfies readonly LogLine['stream'][];
const RANGES = ['15m', '1h', '24h', '7d'] as const satisfies readonly TimeRange[];
const FILTER = 'max-sm:w-auto max-sm:flex-1 sm:w-40';

export interface LogFiltersProps {
  search: LogsSearch;
  sources: Outputs['observability']['logSources'];
  /** Where what is shown can be saved. */
  href: string;
  onChange: (changes: LogsSearch) => void;
  /** Asks how much of the log is to be kept. */
  onRetention: () => void;
}

/** Narrows a log by words, process, output and time, and saves what is left. */
export function LogFilters({ search, sources, href, onChange, onRetention }: LogFiltersProps) {
  return (
    <div className="flex flex-col gap-3 border-line border-b p-3">
      <div className="flex flex-wrap gap-3">
        <WordsInput
          label="Search the logs"
          words={search.q}
          onWordsChange={(q) => onChange({ q })}
          className="grow basis-56 max-sm:basis-full"
        />
        <SourceFilters search={search} sources={sources} onChange={onChange} />
        <TimeFilter search={search} onChange={onChange} />
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Toggle
          label="Follow"
          on={search.follow !== 'off'}
          onChange={(on) => onChange({ follow: on ? undefined : 'off' })}
        />
        <Toggle
          label="Wrap lines"
          on={search.wrap === 'on'}
          onChange={(on) => onChange({ wrap: on ? 'on' : undefined })}
        />
        <div className="ml-auto flex gap-2">
          <Button size="sm" variant="ghost" onClick={onRetention}>
            Retention
          </Button>
          <a href={href} download className={buttonStyles({ size: 'sm' })}>
            <Download aria-hidden="true" />
            Download
          </a>
        </div>
      </div>
    </div>
  );
}

function SourceFilters({ search, sources, onChange }: Omit<LogFiltersProps, 'href' | 'onRetention'>) {
  // The address may name one that wrote nothing yet.
  const names = [
    ...new Set([...sources.map(({ process }) => process), ...(search.process ? [search.process] : [])]),
  ];
  const instances = sources.find(({ process }) => process === search.process)?.instances ?? [];
  return (
    <>
      <Select
        aria-label="Process"
        className={FILTER}
        value={search.process ?? ALL}
        onValueChange={(process) =>
          onChange({ process: process === ALL ? undefined : process, instance: undefined })
        }
        options={[
          { value: ALL, label: 'All processes' },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
      />
      {(instances.length > 1 || search.instance) && (
        <Select
          aria-label="Instance"
          className={FILTER}
          value={String(search.instance ?? ALL)}
          onValueChange={(instance) =>
            onChange({ instance: instance === ALL ? undefined : Number(instance) })
          }
          options={[
            { value: ALL, label: 'All instances' },
            ...[...new Set([...instances, search.instance ?? 1])]
              .sort((a, b) => a - b)
              .map((instance) => ({ value: String(instance), label: `Instance ${instance}` })),
          ]}
        />
      )}
      <Select
        aria-label="Output"
        className={FILTER}
        value={search.stream ?? ALL}
        onValueChange={(stream) => onChange({ stream: stream === ALL ? undefined : stream })}
        options={[
          { value: ALL, label: 'All output' },
          ...STREAMS.map((stream) => ({ value: stream, label: STREAM_NAMES[stream] })),
        ]}
      />
    </>
  );
}

function TimeFilter({ search, onChange }: Pick<LogFiltersProps, 'search' | 'onChange'>) {
  const isCustom = !search.range && (search.since !== undefined || search.until !== undefined);
  const choose = (value: typeof ALL | typeof CUSTOM | TimeRange) => {
    if (value === CUSTOM)
      onChange({ range: undefined, since: new Date(Date.now() - 3_600_000).toISOString() });
    else onChange({ range: value === ALL ? undefined : value, since: undefined, until: undefined });
  };
  return (
    <>
      <Select<typeof ALL | typeof CUSTOM | TimeRange>
        aria-label="Time"
        className={FILTER}
        value={search.range ?? (isCustom ? CUSTOM : ALL)}
        onValueChange={choose}
        options={[
          { value: ALL, label: 'Any time' },
          ...RANGES.map((range) => ({ value: range, label: TIME_RANGES[range].label })),
          { value: CUSTOM, label: 'Custom range' },
        ]}
      />
      {isCustom && (
        <>
          <Instant label="From" value={search.since} onChange={(since) => onChange({ since })} />
          <Instant label="To" value={search.until} onChange={(until) => onChange({ until })} />
        </>
      )}
    </>
  );
}

interface InstantProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A date and a time where the person is. */
function Instant({ label, value, onChange }: InstantProps) {
  const id = useId();
  return (
    <span className="flex items-center gap-2 max-sm:basis-full">
      <label htmlFor={id} className="text-muted text-sm max-sm:w-10">
        {label}
      </label>
      <Input
        id={id}
        type="datetime-local"
        className="max-sm:flex-1 sm:w-56"
        value={value ? localInput(value) : ''}
        onChange={({ target }) => {
          const time = Date.parse(target.value);
          onChange(Number.isNaN(time) ? undefined : new Date(time).toISOString());
        }}
      />
    </span>
  );
}

/** An ISO instant as a field of date and time takes it. */
function localInput(instant: string): string {
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function Toggle({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <Switch id={id} checked={on} onCheckedChange={onChange} />
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
    </span>
  );
}
