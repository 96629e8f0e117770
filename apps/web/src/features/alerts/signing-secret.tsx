import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyFact } from '../../ui/copy-fact.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Makes what a webhook's messages are signed with, and shows it once. */
export function SigningSecretButton({ id, name }: { id: string; name: string }) {
  const [secret, setSecret] = useState<string>();
  const renew = useAction(trpc.alertChannels.renewSecret.useMutation({ gcTime: 0 }), {
    failure: 'Failed to create the secret',
    serverSpeaks: true,
    onDone: (made) => setSecret(made.secret),
  });
  if (secret !== undefined) {
    return (
      <Notice className="basis-full" title="Copy the secret now. It won't be shown again.">
        The header nephos-signature is “v1=” and the HMAC-SHA-256 in hex, by this secret, of nephos-timestamp,
        a dot and the body. Refuse timestamps older than 5 minutes.
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
          <CopyFact term="Secret" value={secret} label="Copy the secret" />
        </dl>
      </Notice>
    );
  }
  return (
    <ConfirmDialog
      title={`Create a new secret for ${name}?`}
      description="Messages are signed with it from now on. One that was created before stops working at once."
      label="Create secret"
      action={renew}
      onConfirm={(close) => renew.run({ id }, close)}
      trigger={(ask) => (
        <Button size="sm" aria-label={`New secret of ${name}`} onClick={ask}>
          New secret
        </Button>
      )}
    />
  );
}
