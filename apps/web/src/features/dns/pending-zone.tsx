import type { DnsZone } from '@nephos/contracts';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
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
          Prove that <span className="break-all font-mono">{domain}</span> is yours
        </>
      }
      action={
        <Button size="sm" aria-label={`Verify ${domain}`} pending={pending} onClick={look}>
          Verify
        </Button>
      }
    >
      Add this TXT record where the domain is served now. Until it is seen, nothing of the domain is served
      here.
      {verification && (
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
          <Fact term="Name" value={verification.name} of={domain} />
          <Fact term="Value" value={verification.value} of={domain} />
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
    ? 'The TXT record was not found yet. It may take its time to spread.'
    : verify.refusal;
  return { look, pending: verify.pending, problem };
}

function Fact({ term, value, of }: { term: string; value: string; of: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <code className="wrap-anywhere text-fg text-sm">{value}</code>
        <CopyButton value={value} label={`Copy the ${term.toLowerCase()} of the TXT record for ${of}`} />
      </dd>
    </>
  );
}
