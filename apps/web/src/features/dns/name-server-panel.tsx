import type { DnsRecord } from '@nephos/contracts';
import { trpc } from '../../trpc.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { addressOf, digCommand } from './dig-command.ts';
import { StatusDot } from './status-dot.tsx';

/** Asked about in the command while there is no record. */
const EXAMPLE = { domain: 'example.com', name: '@', recordType: 'A' } as const;

/** Where our name server answers, how to ask it, and what to delegate a domain to. */
export function NameServerPanel({ record }: { record: DnsRecord | undefined }) {
  const [nameServer] = trpc.dns.nameServer.useSuspenseQuery();
  if (!nameServer.running) {
    return (
      <Notice tone="warning" title="The name server is off">
        {nameServer.reason} Records are kept, and served once it runs.
      </Notice>
    );
  }
  return (
    <Card>
      <div className="flex items-center gap-2.5">
        <StatusDot tone="success" />
        <h2 className="font-semibold text-lg">Name server</h2>
        <span className="text-muted text-sm">Running</span>
      </div>
      <div className="mt-4 grid gap-x-8 gap-y-4 lg:grid-cols-[auto_auto_minmax(0,1fr)]">
        <Addresses term="Answers on" values={[addressOf(nameServer)]} />
        <Addresses term="Delegate your domains to" values={nameServer.nameservers} />
        <div className="min-w-0">
          <h3 className="mb-1.5 text-faint text-sm">Ask it yourself</h3>
          <CodeBlock code={digCommand(nameServer, record ?? EXAMPLE)} label="dig command" />
        </div>
      </div>
    </Card>
  );
}

function Addresses({ term, values }: { term: string; values: readonly string[] }) {
  return (
    <dl>
      <dt className="mb-1.5 text-faint text-sm">{term}</dt>
      {values.map((value) => (
        <dd key={value} className="flex items-center gap-1">
          <code className="break-all">{value}</code>
          <CopyButton value={value} label={`Copy ${value}`} />
        </dd>
      ))}
    </dl>
  );
}
