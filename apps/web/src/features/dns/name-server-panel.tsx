import type { DnsRecord } from '@nephos/contracts';
import { trpc } from '../../trpc.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { addressOf, digCommand } from './dig-command.ts';
import { StatusDot } from './status-dot.tsx';

/** Asked about in the command while there is no record. */
const EXAMPLE = { domain: 'example.com', name: '@', recordType: 'A' } as const;

/** Milliseconds until one that does not answer is looked at again: it may be starting. */
const NEXT_LOOK = 5000;

/** Says which setting keeps our name server from answering; nothing while it answers. */
export function NameServerNotice() {
  const [{ running, reason }] = trpc.dns.nameServer.useSuspenseQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.running ? false : NEXT_LOOK),
  });
  if (running) return null;
  return (
    <Notice tone="warning" title={reason}>
      Records are kept, and served once it runs.
    </Notice>
  );
}

/** Where our name server answers, what to delegate a domain to, and how to ask it; nothing while it is off. */
export function NameServerPanel({ record }: { record: DnsRecord | undefined }) {
  const [nameServer] = trpc.dns.nameServer.useSuspenseQuery();
  if (!nameServer.running) return null;
  return (
    <Card>
      <h2 className="flex items-center gap-2.5 font-semibold text-lg">
        <StatusDot tone="success" />
        Name server
      </h2>
      <div className="mt-4 flex flex-wrap gap-x-10 gap-y-4">
        <Copyable term="Answers on" values={[addressOf(nameServer)]} />
        <Copyable term="Delegate your domains to" values={nameServer.nameservers} />
        <Copyable term="Ask it yourself" values={[digCommand(nameServer, record ?? EXAMPLE)]} />
      </div>
    </Card>
  );
}

function Copyable({ term, values }: { term: string; values: readonly string[] }) {
  return (
    <dl className="min-w-0">
      <dt className="text-faint text-sm">{term}</dt>
      {values.map((value) => (
        <dd key={value} className="mt-1 flex items-center gap-1">
          <code className="wrap-anywhere text-sm">{value}</code>
          <CopyButton value={value} label={`Copy ${value}`} />
        </dd>
      ))}
    </dl>
  );
}
