import type { ZoneKey } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyFact } from '../../ui/copy-fact.tsx';
import { Dialog, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';

export interface SigningDialogProps {
  domain: string;
  onClose: () => void;
}

/** Whether a domain is signed, what to enter at its registrar, and the way to another key. */
export function SigningDialog({ domain, onClose }: SigningDialogProps) {
  const signing = trpc.dns.signing.useQuery({ domain });
  const keys = signing.data?.keys;
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent wide title="DNSSEC" description={domain}>
        {signing.error && !keys && <Notice tone="danger" title="Couldn't load the DNSSEC settings." />}
        {signing.isPending && <Spinner className="size-5 self-center text-muted" />}
        {keys?.length === 0 && <Unsigned domain={domain} />}
        {keys && keys.length > 0 && <Signed domain={domain} keys={keys} />}
      </DialogContent>
    </Dialog>
  );
}

function useSigningQueries() {
  const utils = trpc.useUtils();
  return [utils.dns.signing, utils.dns.parentDelegation];
}

function Unsigned({ domain }: { domain: string }) {
  const sign = useAction(trpc.dns.sign.useMutation(), {
    success: 'Domain signed',
    failure: 'Failed to sign the domain',
    serverSpeaks: true,
    refresh: useSigningQueries(),
  });
  return (
    <>
      <p className="text-muted">
        This domain isn't signed. With DNSSEC, resolvers can check that its records really come from here. It
        takes effect once you add a DS record at your registrar.
      </p>
      {sign.refusal && <Notice tone="danger" title={sign.refusal} className="mt-4" />}
      <DialogFooter>
        <Button variant="primary" {...sign.button} onClick={() => sign.run({ domain })}>
          Sign this domain
        </Button>
      </DialogFooter>
    </>
  );
}

function Signed({ domain, keys }: { domain: string; keys: readonly ZoneKey[] }) {
  const parent = trpc.dns.parentDelegation.useQuery({ domain });
  const incoming = keys.find(({ state }) => state === 'incoming');
  return (
    <div className="flex flex-col gap-6">
      <ParentNotice domain={domain} keys={keys} />
      {keys.map((key) => (
        <Key key={key.keyTag} signingKey={key} seen={parent.data?.keyTags.includes(key.keyTag)} />
      ))}
      <div className="flex flex-wrap justify-end gap-2">
        <Button pending={parent.isFetching} onClick={() => void parent.refetch()}>
          Check again
        </Button>
        <TurnOff domain={domain} />
        {incoming && <CancelRoll domain={domain} />}
        {incoming ? <FinishRoll domain={domain} /> : keys.length === 1 && <RollKey domain={domain} />}
      </div>
    </div>
  );
}

/** What is still to be done at the registrar. */
function ParentNotice({ domain, keys }: { domain: string; keys: readonly ZoneKey[] }) {
  const { data, error } = trpc.dns.parentDelegation.useQuery({ domain });
  if (error || data?.known === false) {
    return <Notice title="Resolvers couldn't be asked for the DS records." />;
  }
  if (!data) return null;
  if (data.others > 0) {
    return (
      <Notice tone="danger" title="Your registrar publishes a DS record of another key">
        Validating resolvers may refuse this domain. Remove every DS record that isn't of a key listed here.
      </Notice>
    );
  }
  const missing = keys.find(({ state, keyTag }) => state !== 'retiring' && !data.keyTags.includes(keyTag));
  if (!missing) return null;
  return missing.state === 'active' ? (
    <Notice title="Add this DS record at your registrar">
      Its fields are key tag, algorithm, digest type and digest, in this order. Until resolvers see it, they
      treat the domain as unsigned.
    </Notice>
  ) : (
    <Notice title="Add the DS record of the new key at your registrar">
      {`Keep the current one beside it. If your registrar takes only one, replace it after ${formatInstant(missing.until ?? '')}.`}
    </Notice>
  );
}

const TITLES: Record<ZoneKey['state'], string> = {
  active: 'Current key',
  incoming: 'New key',
  retiring: 'Former key',
};

function Key({ signingKey, seen }: { signingKey: ZoneKey; seen: boolean | undefined }) {
  const { keyTag, state, until, ds, dnskey } = signingKey;
  return (
    <section aria-label={`${TITLES[state]} ${keyTag}`}>
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        {`${TITLES[state]} ${keyTag}`}
        {seen !== undefined && (
          <Badge tone={seen ? 'success' : 'neutral'}>{seen ? 'DS record seen' : 'No DS record seen'}</Badge>
        )}
      </h3>
      <Explanation state={state} until={until} seen={seen} />
      {state !== 'retiring' && (
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 text-sm">
          <CopyFact term="DS record" value={ds} label={`Copy the DS record of key ${keyTag}`} />
          <CopyFact term="DNSKEY" value={dnskey} label={`Copy the DNSKEY record of key ${keyTag}`} />
        </dl>
      )}
    </section>
  );
}

function Explanation({
  state,
  until,
  seen,
}: Pick<ZoneKey, 'state' | 'until'> & { seen: boolean | undefined }) {
  let text: ReactNode;
  if (state === 'retiring') {
    const removal = seen ? ' Remove its DS record at your registrar.' : '';
    text = `Kept until ${formatInstant(until ?? '')} for resolvers that still know it.${removal}`;
  } else if (state === 'incoming') {
    text = `Can sign from ${formatInstant(until ?? '')}, once resolvers see its DS record.`;
  }
  return text ? <p className="mt-1 text-muted text-sm">{text}</p> : null;
}

function RollKey({ domain }: { domain: string }) {
  const roll = useAction(trpc.dns.rollKey.useMutation(), {
    success: 'New key announced',
    failure: 'Failed to make a new key',
    serverSpeaks: true,
    refresh: useSigningQueries(),
  });
  return (
    <Button {...roll.button} onClick={() => roll.run({ domain })}>
      Roll key
    </Button>
  );
}

function CancelRoll({ domain }: { domain: string }) {
  const cancel = useAction(trpc.dns.cancelRoll.useMutation(), {
    success: 'New key removed',
    failure: 'Failed to remove the new key',
    serverSpeaks: true,
    refresh: useSigningQueries(),
  });
  return (
    <Button {...cancel.button} onClick={() => cancel.run({ domain })}>
      Cancel roll
    </Button>
  );
}

function FinishRoll({ domain }: { domain: string }) {
  const finish = useAction(trpc.dns.finishRoll.useMutation(), {
    success: 'The new key signs from now on',
    failure: 'Failed to switch to the new key',
    serverSpeaks: true,
    refresh: useSigningQueries(),
  });
  return (
    <Button variant="primary" {...finish.button} onClick={() => finish.run({ domain })}>
      Use new key
    </Button>
  );
}

/** Asks, and asks once more where resolvers would refuse the domain. */
function TurnOff({ domain }: { domain: string }) {
  const mutation = trpc.dns.unsign.useMutation();
  const unsign = useAction(mutation, {
    success: 'DNSSEC turned off',
    failure: 'Failed to turn DNSSEC off',
    serverSpeaks: true,
    refresh: useSigningQueries(),
  });
  const anyway = mutation.error?.data?.reason === 'DS_PUBLISHED';
  return (
    <ConfirmDialog
      title="Turn DNSSEC off?"
      description={`Remove the DS record of ${domain} at your registrar first and wait a day: while resolvers know it, they refuse unsigned answers.`}
      label={anyway ? 'Turn off anyway' : 'Turn off'}
      action={unsign}
      onConfirm={(close) => unsign.run({ domain, anyway }, close)}
      trigger={(open) => <Button onClick={open}>Turn off</Button>}
    />
  );
}
