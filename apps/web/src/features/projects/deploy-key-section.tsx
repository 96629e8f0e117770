import type { DeployKey } from '@nephos/contracts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** The key by which the project reads its repository over SSH, and the host that it trusts. */
export function DeployKeySection({ projectId }: { projectId: string }) {
  const [key] = trpc.deployKeys.get.useSuspenseQuery({ id: projectId });
  if (key.publicKey === null) return null;
  return (
    <section aria-label="Deploy key">
      <Card className="flex max-w-2xl flex-col gap-4">
        <CardHeader
          title="Deploy key"
          description="Add this public key to the repository at your Git host. Read access is enough."
        />
        <CodeBlock code={key.publicKey} label="public key" wrap />
        {key.host !== '' && <TrustedHost projectId={projectId} deployKey={key} />}
        <div className="border-line border-t pt-4">
          <RenewKey projectId={projectId} />
        </div>
      </Card>
    </section>
  );
}

function TrustedHost({ projectId, deployKey }: { projectId: string; deployKey: DeployKey }) {
  const utils = trpc.useUtils();
  const forget = useAction(trpc.deployKeys.forgetHost.useMutation(), {
    success: 'Host keys forgotten',
    failure: 'Failed to forget the host keys',
    serverSpeaks: true,
    refresh: [utils.deployKeys.get],
  });
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted text-sm">Host keys of {deployKey.host}, trusted since the first connection:</p>
      <ul aria-label="Host keys" className="flex flex-col gap-1">
        {deployKey.hostKeys.map(({ type, fingerprint }) => (
          <li key={type} className="break-all font-mono text-sm">
            {type} {fingerprint}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        title="Forget host keys?"
        description="The next deployment trusts the keys that the host has then. Do this only if the host changed its keys."
        label="Forget"
        action={forget}
        onConfirm={(close) => forget.run({ id: projectId }, close)}
        trigger={(open) => (
          <Button className="self-start" onClick={open}>
            Forget host keys
          </Button>
        )}
      />
    </div>
  );
}

function RenewKey({ projectId }: { projectId: string }) {
  const utils = trpc.useUtils();
  const renew = useAction(trpc.deployKeys.renew.useMutation(), {
    success: 'Deploy key renewed',
    failure: 'Failed to renew the deploy key',
    serverSpeaks: true,
    refresh: [utils.deployKeys.get],
  });
  return (
    <ConfirmDialog
      title="Renew deploy key?"
      description="Deployments fail until you add the new public key at your Git host."
      label="Renew key"
      action={renew}
      onConfirm={(close) => renew.run({ id: projectId }, close)}
      trigger={(open) => <Button onClick={open}>Renew key</Button>}
    />
  );
}
