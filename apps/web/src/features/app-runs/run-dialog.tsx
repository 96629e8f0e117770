import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { inWorkspace } from '../../lib/tab-workspace.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useStreamRetry } from '../../lib/use-changes.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { durationOf, isUnfinished, RunStatusBadge } from './run-status.tsx';

export interface RunDialogProps {
  runId: string;
  title: string;
  onClose: () => void;
}

/** One run: what it writes, live, and what became of it. */
export function RunDialog({ runId, title, onClose }: RunDialogProps) {
  const { text, isOver } = useOutput(runId);
  const { data: run, refetch } = trpc.appRuns.get.useQuery({ id: runId });
  // The output ends with the run, which says then what became of it.
  const hasBegun = text !== '';
  useEffect(() => {
    if (isOver || hasBegun) void refetch();
  }, [isOver, hasBegun, refetch]);
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={title}
        description={run && run.command !== title && <code>{run.command}</code>}
        wide
      >
        <div className="mb-3 flex min-h-8 flex-wrap items-center gap-3">
          {run && <RunStatusBadge status={run.status} />}
          {run && <span className="text-muted text-sm tabular-nums">{durationOf(run)}</span>}
          <div className="ml-auto flex gap-2">
            {run && isUnfinished(run) && <CancelRun runId={runId} />}
            <a
              href={inWorkspace(`/api/runs/${runId}/log?download=1`)}
              download
              className={buttonStyles({ size: 'sm' })}
            >
              <Download aria-hidden="true" />
              Download
            </a>
          </div>
        </div>
        <Output text={text} isOver={isOver} />
        {run?.error && <p className="mt-3 break-words text-danger">{run.error}</p>}
      </DialogContent>
    </Dialog>
  );
}

function CancelRun({ runId }: { runId: string }) {
  const utils = trpc.useUtils();
  const cancel = useAction(trpc.appRuns.cancel.useMutation(), {
    failure: 'Failed to cancel the run',
    serverSpeaks: true,
    refresh: [utils.appRuns.get, utils.appRuns.list, utils.appRuns.jobs],
  });
  return (
    <Button size="sm" {...cancel.button} onClick={() => cancel.run({ id: runId })}>
      Cancel run
    </Button>
  );
}

/** Text that keeps its end in sight while one looks at that. */
function Output({ text, isOver }: { text: string; isOver: boolean }) {
  const frame = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what moves the end
  useEffect(() => {
    if (frame.current && atEnd.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [text]);
  return (
    <pre
      ref={frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
      tabIndex={0}
      role="log"
      aria-label="Output"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
      className="h-[min(24rem,50dvh)] overflow-auto whitespace-pre-wrap break-words rounded-md border border-line bg-sunken p-4 font-mono text-sm"
    >
      {text || <span className="text-faint">{isOver ? 'No output.' : 'Waiting for output…'}</span>}
    </pre>
  );
}

/** ECMA-48 sequences: colours and movements of a terminal, which this is none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** A run's output so far. Give the component that calls it a key per run. */
function useOutput(runId: string): { text: string; isOver: boolean } {
  const [text, setText] = useState('');
  const last = useRef(0);
  const { status, reset } = trpc.appRuns.log.useSubscription(
    { id: runId },
    {
      onData: ({ data: { seq, text: more } }) => {
        // A stream that comes back begins anew.
        if (seq <= last.current) return;
        last.current = seq;
        setText((before) => before + more.replace(SEQUENCES, ''));
      },
    },
  );
  useStreamRetry({ status, reset });
  return { text, isOver: status === 'idle' };
}
