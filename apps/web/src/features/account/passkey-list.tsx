import type { Passkey, RecoveryCodes } from '@nephos/contracts';
import { Fingerprint, Plus } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { knowsPasskeys, makePasskey, passkeyFailure } from '../../lib/passkeys.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { toast } from '../../ui/toast.ts';
import { CreatedRecoveryCodes } from './recovery-codes-dialog.tsx';

interface PasskeyListProps {
  passkeys: readonly Passkey[];
  /** What more follows when one is removed. */
  loss: string;
}

export function PasskeyList({ passkeys, loss }: PasskeyListProps) {
  const [adding, setAdding] = useState(false);
  return (
    <div className="mt-4 border-line border-t pt-4">
      <p className="text-muted text-sm">
        A passkey logs you in with your device's fingerprint, face or PIN. It belongs to this address (
        {window.location.hostname}) and stops working if the address changes.
      </p>
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="mt-2 divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} loss={loss} />
          ))}
        </ul>
      )}
      {knowsPasskeys ? (
        <Button className="mt-2" onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" />
          Add passkey
        </Button>
      ) : (
        <p className="mt-2 text-faint text-sm">
          This browser can't add one here. Passkeys need a recent browser and https.
        </p>
      )}
      {adding && <NewPasskeyDialog onClose={() => setAdding(false)} />}
    </div>
  );
}

function PasskeyRow({
  passkey: { id, name, usable, createdAt, lastUsedAt },
  loss,
}: { passkey: Passkey } & Pick<PasskeyListProps, 'loss'>) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.auth.removePasskey.useMutation(), {
    success: 'Passkey removed',
    failure: 'Failed to remove the passkey',
    serverSpeaks: true,
    refresh: [utils.auth.factors],
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <Fingerprint aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 grow basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-all">{name}</span>
          {!usable && <Badge tone="warning">For another address</Badge>}
        </p>
        <p className="mt-0.5 text-faint text-sm">
          <time dateTime={createdAt} title={formatInstant(createdAt)}>
            added {formatAgo(createdAt)}
          </time>
          {' · '}
          {lastUsedAt ? (
            <time dateTime={lastUsedAt} title={formatInstant(lastUsedAt)}>
              last used {formatAgo(lastUsedAt)}
            </time>
          ) : (
            'never used'
          )}
        </p>
      </div>
      <ConfirmDialog
        title="Remove passkey?"
        description={`“${name}” no longer logs you in. Remove it from your device as well.${loss}`}
        label="Remove passkey"
        action={remove}
        onConfirm={(close) => remove.run({ id }, close)}
        trigger={(open) => (
          <Button size="sm" aria-label={`Remove ${name}`} onClick={open}>
            Remove
          </Button>
        )}
      />
    </li>
  );
}

function NewPasskeyDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const begin = trpc.auth.beginPasskey.useMutation();
  const add = trpc.auth.addPasskey.useMutation();
  const { data: sessions = [] } = trpc.auth.sessions.useQuery();
  const [name, setName] = useState(() => sessions.find(({ current }) => current)?.device ?? '');
  const [failure, setFailure] = useState<string>();
  const [made, setMade] = useState<RecoveryCodes>();

  async function run() {
    setFailure(undefined);
    try {
      const response = await makePasskey(await begin.mutateAsync());
      const created = await add.mutateAsync({ name, response });
      // Whoever was kept out without it is let in now.
      void utils.invalidate();
      if (created.recoveryCodes.length > 0) return setMade(created);
      toast({ title: 'Passkey added' });
      onClose();
    } catch (error) {
      setFailure(passkeyFailure(error));
    }
  }

  return (
    <FormDialog
      title="Add passkey"
      description="Your device asks for your fingerprint, face or PIN next."
      label="Add passkey"
      ready={name.trim() !== ''}
      action={{ pending: begin.isPending || add.isPending, refusal: failure }}
      onSubmit={() => void run()}
      onClose={onClose}
      result={made && <CreatedRecoveryCodes {...made} onClose={onClose} />}
    >
      <Field label="Name" required hint="Where it is kept, so you recognize it later.">
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
