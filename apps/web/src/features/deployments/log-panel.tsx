import { Download } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { plainText } from '../../lib/ansi.ts';
import { type LogLine, LogLines } from '../../lib/log-lines.tsx';
import { inWorkspace } from '../../lib/tab-workspace.ts';
import { trpc } from '../../lib/trpc.ts';
import { useStreamRetry } from '../../lib/use-changes.ts';
import { usePaintedVersion } from '../../lib/use-painted-version.ts';
import { buttonStyles } from '../../ui/button-styles.ts';
import { classNames } from '../../ui/class-names.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { LogBuffer } from './log-buffer.ts';

/** The log of one deployment: live, with search and download. Mount it with the deployment as its key. */
export function LogPanel({ deploymentId }: { deploymentId: string }) {
  const { buffer, version, state } = useLog(deploymentId);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim().toLowerCase());
  const found = useFound(buffer.lines, version, search);

  return (
    <section aria-label="Log" className="overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-3 py-2">
        <SearchInput
          label="Search the log"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="min-w-40 grow sm:max-w-80"
        />
        <p role="status" className="text-muted text-sm">
          {search &&
            `${found.length.toLocaleString('en')} of ${buffer.lines.length.toLocaleString('en')} lines`}
        </p>
        <div className="ml-auto flex items-center gap-4">
          <LogStateLabel state={state} />
          <a
            href={inWorkspace(`/api/deployments/${deploymentId}/log?download=1`)}
            download
            className={buttonStyles({ size: 'sm' })}
          >
            <Download aria-hidden="true" />
            Download
          </a>
        </div>
      </div>
      {buffer.dropped > 0 && (
        <p className="border-line border-b bg-warning-soft px-4 py-2 text-sm text-warning">
          The first {buffer.dropped.toLocaleString('en')} lines are hidden. Download the log to see all of it.
        </p>
      )}
      <LogLines
        label="Deployment log"
        lines={found}
        version={version}
        longest={buffer.longest}
        search={search}
      />
    </section>
  );
}

/** The lines that hold the text, all of them where it is empty. */
function useFound(lines: readonly LogLine[], version: number, search: string): readonly LogLine[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the lines, changed in place
  return useMemo(
    () =>
      search === '' ? lines : lines.filter(({ text }) => plainText(text).toLowerCase().includes(search)),
    [lines, version, search],
  );
}

const LOOKS: Record<LogState, { label: string; dot: string }> = {
  connecting: { label: 'Connecting…', dot: 'bg-info' },
  live: { label: 'Streaming', dot: 'bg-success' },
  interrupted: { label: 'Reconnecting…', dot: 'bg-warning' },
  complete: { label: 'Complete', dot: 'bg-faint' },
};

/** Whether more of the log may come. */
function LogStateLabel({ state }: { state: LogState }) {
  const { label, dot } = LOOKS[state];
  return (
    <span role="status" className="inline-flex items-center gap-2 text-muted text-sm">
      <span aria-hidden="true" className={classNames('size-2 rounded-full', dot)} />
      {label}
    </span>
  );
}

type LogState = 'connecting' | 'live' | 'interrupted' | 'complete';

interface Log {
  buffer: LogBuffer;
  /** Changes whenever the buffer did. */
  version: number;
  state: LogState;
}

/**
 * A deployment's log from its beginning, then as it grows, also in a hidden tab. Give the component that calls it a
 * key per deployment.
 */
function useLog(deploymentId: string): Log {
  const [buffer] = useState(() => new LogBuffer());
  const { version, changed } = usePaintedVersion();
  const { status, reset } = trpc.deployments.log.useSubscription(
    { id: deploymentId },
    {
      onData: ({ data }) => {
        buffer.add(data);
        changed();
      },
    },
  );
  useStreamRetry({ status, reset });
  return { buffer, version, state: stateOf(status, version > 0) };
}

function stateOf(status: 'idle' | 'connecting' | 'pending' | 'error', begun: boolean): LogState {
  if (status === 'pending') return 'live';
  if (status === 'idle') return 'complete';
  return begun || status === 'error' ? 'interrupted' : 'connecting';
}
