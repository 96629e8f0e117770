import type { DnsTransferKey } from '@nephos/contracts';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyFact } from '../../ui/copy-fact.tsx';
import { Notice } from '../../ui/notice.tsx';

interface TransferKeyProps {
  domain: string;
  /** Undefined while there is none. */
  name: string | undefined;
}

/** The key that a domain's secondaries need; its secret is shown once, when it is made. */
export function TransferKey({ domain, name }: TransferKeyProps) {
  const utils = trpc.useUtils();
  const [made, setMade] = useState<DnsTransferKey>();
  const renew = useAction(trpc.dns.renewTransferKey.useMutation({ gcTime: 0 }), {
    success: 'Transfer key created',
    failure: 'Failed to create the transfer key',
    serverSpeaks: true,
    refresh: [utils.dns.secondaries],
    onDone: setMade,
  });
  if (name === undefined) {
    return (
      <Notice
        tone="warning"
        title="Secondaries need a transfer key"
        action={
          <Button size="sm" {...renew.button} onClick={() => renew.run({ domain })}>
            <KeyRound aria-hidden="true" />
            Create key
          </Button>
        }
      >
        It proves that a transfer is asked for by a secondary, and that it comes from here.
      </Notice>
    );
  }
  if (made?.name === name) return <MadeKey made={made} />;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
      <p className="min-w-0">
        <span className="text-muted">Transfer key </span>
        <code className="wrap-anywhere">{name}</code>
      </p>
      <ConfirmDialog
        title="Create a new key?"
        description={`The old key stops working at once. Secondaries can't copy ${domain} until they have the new one.`}
        label="Create key"
        action={renew}
        onConfirm={(close) => renew.run({ domain }, close)}
        trigger={(ask) => (
          <Button size="sm" onClick={ask}>
            New key
          </Button>
        )}
      />
    </div>
  );
}

function MadeKey({ made: { name, algorithm, secret } }: { made: DnsTransferKey }) {
  return (
    <Notice title="Copy the transfer key now. Its secret won't be shown again.">
      Set up this TSIG key on each secondary, for transfers from and notifications by this server.
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
        <CopyFact term="Name" value={name} label="Copy the key's name" />
        <CopyFact term="Algorithm" value={algorithm} label="Copy the key's algorithm" />
        <CopyFact term="Secret" value={secret} label="Copy the key's secret" />
      </dl>
    </Notice>
  );
}
