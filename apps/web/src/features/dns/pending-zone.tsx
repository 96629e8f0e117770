import type { DnsZone } from '@nephos/contracts';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyFact } from '../../ui/copy-fact.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';

/** A domain whose owner has to prove that it is theirs: what to publish, and the button that looks for it. */
export function PendingZone({ zone: { domain, verification } }: { zone: DnsZone }) {
  const { look, pending, problem } = useVerification(domain);
  return (
    <Notice
      tone="warning"
      title={
        <>
          Verify that you own <span className="break-all font-mono">{domain}</span>
        </>
      }
      action={
        <Button size="sm" aria-label={`Verify ${domain}`} pending={pending} onClick={look}>
          Verify
        </Button>
      }
    >
      Add this TXT record at your current DNS provider. Records for this domain aren't served until it's
      verified.
      {verification && (
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
          <CopyFact term="Name" value={verification.name} label={`Copy the TXT record name for ${domain}`} />
          <CopyFact
            term="Value"
            value={verification.value}
            label={`Copy the TXT record value for ${domain}`}
          />
        </dl>
      )}
      {problem && (
        <p role="alert" className="mt-2 font-medium text-fg">
          {problem}
        </p>
      )}
    </Notice>
  );
}

/** Looks for the proof; says why it was not seen. */
function useVerification(domain: string) {
  const utils = trpc.useUtils();
  const [missing, setMissing] = useState(false);
  const verify = useAction(trpc.dns.verify.useMutation(), {
    failure: 'Failed to verify the domain',
    serverSpeaks: true,
    refresh: [utils.dns.zones],
    onDone: ({ status }) => {
      setMissing(status === 'pending');
      if (status === 'active') toast({ title: 'Domain verified' });
    },
  });
  function look() {
    setMissing(false);
    verify.run({ domain });
  }

  const problem = missing
    ? 'TXT record not found yet. DNS changes can take a while to propagate.'
    : verify.refusal;
  return { look, pending: verify.pending, problem };
}
