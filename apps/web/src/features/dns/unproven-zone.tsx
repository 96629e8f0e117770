import type { DnsZone } from '@nephos/contracts';
import { useState } from 'react';
import { formatDate } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyFact } from '../../ui/copy-fact.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';

/** A domain whose owner has to prove, or to prove again, that it is theirs: what to publish, and the button that looks for it. */
export function UnprovenZone({ zone: { domain, status, unprovenSince, verification } }: { zone: DnsZone }) {
  const { look, button, problem } = useVerification(domain);
  return (
    <Notice
      tone="warning"
      title={
        <>
          Verify {status === 'pending' ? 'that' : 'again that'} you own{' '}
          <span className="break-all font-mono">{domain}</span>
        </>
      }
      action={
        <Button size="sm" aria-label={`Verify ${domain}`} {...button} onClick={look}>
          Verify
        </Button>
      }
    >
      {unprovenSince === null
        ? "Add this TXT record at your current DNS provider. Records for this domain aren't served until it's verified."
        : `Since ${formatDate(unprovenSince)}, the domain has neither this TXT record nor the name servers of this server. Its records are still served, but whoever else proves that they own it gets it, without your records. Add the record at your current DNS provider, or delegate the domain to this server.`}
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
    onDone: ({ verification }) => {
      setMissing(verification !== null);
      if (verification === null) toast({ title: 'Domain verified' });
    },
  });
  function look() {
    setMissing(false);
    verify.run({ domain });
  }

  const problem = missing
    ? 'TXT record not found yet. DNS changes can take a while to propagate.'
    : verify.refusal;
  return { look, button: verify.button, problem };
}
