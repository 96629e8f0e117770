import type { DnsAnswer, DnsRecord } from '@nephos/contracts';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { StatusDot } from './name-server-panel.tsx';
import { digCommand, recordTitle } from './record-names.ts';
import { useAnswer, useAsk } from './use-answer.ts';

/** What our own name server says of a record, or why it does not; nothing until it was asked. */
export function RecordAnswer({ record }: { record: DnsRecord }) {
  const { data, error, isFetching } = useAnswer(record.id);
  const { forget } = useAsk();
  const [nameServer] = trpc.dns.nameServer.useSuspenseQuery();
  const title = recordTitle(record);
  return (
    <div className="flex animate-fade-in items-start gap-1 rounded-lg bg-sunken pr-1 pl-3">
      <div role="status" aria-label={`Answer for ${title}`} className="min-w-0 grow py-1.5">
        {isFetching ? (
          <Line mark={<Spinner className="size-3.5 text-muted" />}>Querying the name server…</Line>
        ) : error ? (
          <Line mark={<StatusDot tone="danger" />}>{sentenceOf(error, "Couldn't reach the server.")}</Line>
        ) : (
          data && <Said answer={data} />
        )}
      </div>
      <CopyButton value={digCommand(nameServer, record)} label={`Copy the dig command for ${title}`} />
      <IconButton
        label={`Dismiss the answer for ${title}`}
        title="Dismiss"
        size="sm"
        onClick={() => forget(record.id)}
      >
        <X />
      </IconButton>
    </div>
  );
}

function Said({ answer: { served, milliseconds, responseCode, answers, reason } }: { answer: DnsAnswer }) {
  return (
    <>
      <Line mark={<StatusDot tone={served ? 'success' : 'warning'} />}>
        {served ? (
          <span className="font-medium text-success">Served in {formatMilliseconds(milliseconds)}</span>
        ) : (
          <>
            <span className="font-medium text-warning">Not served</span> {reason}
          </>
        )}
        {responseCode && <span className="ml-2 font-mono text-faint text-xs">{responseCode}</span>}
      </Line>
      {answers.length > 0 && (
        <pre className="mt-1 whitespace-pre-wrap wrap-anywhere pl-5 text-muted text-sm [tab-size:4]">
          {answers.join('\n')}
        </pre>
      )}
    </>
  );
}

function Line({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-baseline gap-2 text-sm">
      <span className="flex size-3 shrink-0 translate-y-0.5 items-center justify-center">{mark}</span>
      <span>{children}</span>
    </p>
  );
}

/** A short time: whole milliseconds from 10 on, one decimal below, so that a fast answer is not `0 ms`. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 10) return `${Math.round(milliseconds)} ms`;
  return `${Math.max(0.1, Math.round(milliseconds * 10) / 10)} ms`;
}
