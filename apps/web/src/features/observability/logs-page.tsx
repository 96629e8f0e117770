import type { LogLines as LogPage } from '@nephos/contracts';
import { skipToken } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ScrollText, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { LogLines } from '../../lib/log-lines.tsx';
import { inWorkspace } from '../../lib/tab-workspace.ts';
import { trpc } from '../../lib/trpc.ts';
import { useChangeSearch } from '../../lib/use-change-search.ts';
import { useStreamRetry } from '../../lib/use-changes.ts';
import { usePaintedVersion } from '../../lib/use-painted-version.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LogFilters } from './log-filters.tsx';
import { filterOf, isNarrowed, type LogsSearch } from './logs-search.ts';
import { ProjectLog } from './project-log.ts';

const RetentionDialog = lateDialog({ fields: 2 }, () =>
  import('./retention-dialog.tsx').then(({ RetentionDialog }) => RetentionDialog),
);

const route = getRouteApi('/_console/projects/$projectId/logs');
const PAGE = 500;

type Filter = ReturnType<typeof filterOf>;

/** What a project's app writes: searched on the server, and followed. */
export function LogsPage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const change = useChangeSearch<LogsSearch>();
  const filter = useFilter(search);
  const [retaining, setRetaining] = useState(false);
  const sources = trpc.observability.logSources.useQuery({ id: projectId });
  const first = trpc.observability.logs.useQuery({ id: projectId, ...filter, limit: PAGE }, { gcTime: 0 });
  return (
    <section aria-label="Logs" className="overflow-hidden rounded-xl border border-line bg-surface">
      <LogFilters
        search={search}
        sources={sources.data ?? []}
        href={inWorkspace(downloadPath(projectId, filter))}
        onChange={change}
        onRetention={() => setRetaining(true)}
      />
      {retaining && <RetentionDialog projectId={projectId} onClose={() => setRetaining(false)} />}
      {first.data ? (
        <LogView
          key={first.dataUpdatedAt}
          projectId={projectId}
          first={first.data}
          filter={filter}
          search={search}
          onClear={() => change(CLEAR)}
        />
      ) : first.error ? (
        <div className="p-4">
          <LoadFailure query={first} failure="The logs couldn't be loaded." />
        </div>
      ) : (
        <div role="status" aria-label="Loading logs" className="flex flex-col gap-2 p-4">
          {Array.from({ length: 8 }, (_, index) => (
            <Skeleton key={index} className="h-4 w-full" />
          ))}
        </div>
      )}
    </section>
  );
}

const CLEAR: LogsSearch = {
  ...{ q: undefined, process: undefined, instance: undefined, stream: undefined },
  ...{ range: undefined, since: undefined, until: undefined },
};

/** The same filter as long as the address says the same: a range is counted back from when it was chosen. */
function useFilter({ q, process, instance, stream, range, since, until }: LogsSearch): Filter {
  return useMemo(
    () => filterOf({ q, process, instance, stream, range, since, until }, Date.now()),
    [q, process, instance, stream, range, since, until],
  );
}

function downloadPath(projectId: string, filter: Filter): string {
  const query = new URLSearchParams(
    Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `/api/projects/${projectId}/logs/download${query && `?${query}`}`;
}

interface LogViewProps {
  projectId: string;
  first: LogPage;
  filter: Filter;
  search: LogsSearch;
  onClear: () => void;
}

function LogView({ projectId, first, filter, search, onClear }: LogViewProps) {
  const [log] = useState(() => new ProjectLog(first.lines));
  const { version, changed } = usePaintedVersion();
  const follows = search.follow !== 'off' && !filter.until;
  const state = useNewLines(
    { projectId, after: first.newer, filter: follows ? filter : undefined },
    (news) => {
      log.append(news.lines);
      log.skipped += news.skipped;
      changed();
    },
  );
  const older = useOlderLines({ projectId, first, filter }, (page) => {
    log.prepend(page.lines);
    changed();
  });

  return (
    <>
      <p role="status" className="flex min-h-9 flex-wrap items-center gap-x-4 px-4 py-1.5 text-muted text-sm">
        <span>{countLabel(log.lines.length, search)}</span>
        {follows && <span>{state}</span>}
        {log.skipped > 0 && (
          <span className="text-warning">
            {log.skipped.toLocaleString('en')} lines came too fast to show. Download the log to see them.
          </span>
        )}
      </p>
      {log.lines.length === 0 && !older.isLeft ? (
        <div className="p-4 pt-0">
          <NoLines narrowed={isNarrowed(search)} onClear={onClear} />
        </div>
      ) : (
        <LogLines
          label="App log"
          lines={log.lines}
          version={version}
          longest={log.longest}
          sourceWidth={log.sourceWidth}
          search={search.q?.trim().toLowerCase() ?? ''}
          wrap={search.wrap === 'on'}
          before={<OlderLines {...older} />}
        />
      )}
    </>
  );
}

function countLabel(count: number, search: LogsSearch): string {
  const noun = isNarrowed(search)
    ? count === 1
      ? 'matching line'
      : 'matching lines'
    : count === 1
      ? 'line'
      : 'lines';
  return `${count.toLocaleString('en')} ${noun}`;
}

/** Lines that come while the page is looked at; nothing where there is no filter to follow by. */
function useNewLines(
  { projectId, after, filter }: { projectId: string; after: number; filter: Filter | undefined },
  onNews: (news: { lines: LogPage['lines']; skipped: number }) => void,
): string {
  const { since: _, until: __, ...followed } = filter ?? {};
  const { status, reset } = trpc.observability.newLogs.useSubscription(
    filter ? { id: projectId, ...followed, after } : skipToken,
    { onData: ({ data }) => onNews(data) },
  );
  useStreamRetry({ status, reset });
  return status === 'pending' ? 'Streaming' : status === 'error' ? 'Reconnecting…' : 'Connecting…';
}

interface Older {
  /** Whether there may be older lines. */
  isLeft: boolean;
  /** Where a search stopped. */
  stoppedAt: string | null;
  pending: boolean;
  failed: boolean;
  load: () => void;
}

function useOlderLines(
  { projectId, first, filter }: { projectId: string; first: LogPage; filter: Filter },
  onPage: (page: LogPage) => void,
): Older {
  const utils = trpc.useUtils();
  const [edge, setEdge] = useState<Pick<LogPage, 'older' | 'stoppedAt'>>(first);
  const [state, setState] = useState<'idle' | 'pending' | 'failed'>('idle');
  async function load(): Promise<void> {
    if (edge.older === null || state === 'pending') return;
    setState('pending');
    try {
      const input = { id: projectId, ...filter, before: edge.older, limit: PAGE };
      const page = await utils.client.observability.logs.query(input);
      onPage(page);
      setEdge(page);
      setState('idle');
    } catch {
      setState('failed');
    }
  }
  return {
    isLeft: edge.older !== null,
    stoppedAt: edge.stoppedAt,
    pending: state === 'pending',
    failed: state === 'failed',
    load: () => void load(),
  };
}

/** The way to what is older, above the first line. */
function OlderLines({ isLeft, stoppedAt, pending, failed, load }: Older) {
  if (!isLeft) return null;
  return (
    <div className="sticky left-0 flex w-fit max-w-full flex-wrap items-center gap-3 p-3 font-sans text-muted">
      {stoppedAt && <span>Searched back to {formatInstant(stoppedAt)}.</span>}
      {failed && <span className="text-danger">The older lines couldn't be loaded.</span>}
      <Button size="sm" pending={pending} onClick={load}>
        {stoppedAt ? 'Search further back' : 'Load older lines'}
      </Button>
    </div>
  );
}

function NoLines({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (!narrowed) {
    return (
      <EmptyState
        icon={ScrollText}
        title="No logs yet"
        description="What your app writes to stdout and stderr appears here while it runs."
      />
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      title="No matching lines"
      description="Nothing in the log matches these filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  );
}
