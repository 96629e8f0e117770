import type { DnsRecord } from '@nephos/contracts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { addressOf, digCommand } from './record-names.ts';

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
      Records are saved and will be served once it's running.
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
        <Copyable term="Listening on" values={[addressOf(nameServer)]} />
        <Copyable term="Name servers for your domains" values={nameServer.nameservers} />
        <Copyable term="Test it" values={[digCommand(nameServer, record ?? EXAMPLE)]} />
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

const TONES = {
  success: 'bg-success ring-success/25',
  warning: 'bg-warning ring-warning/25',
  danger: 'bg-danger ring-danger/25',
};

/** Decoration beside words that say the state. */
export function StatusDot({ tone }: { tone: keyof typeof TONES }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('inline-block size-2 shrink-0 rounded-full ring-3', TONES[tone])}
    />
  );
}
