import type { PushHook } from '@nephos/contracts';
import { Webhook } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { PushDeliveries } from './push-deliveries.tsx';

/** What has a project deployed by a push to its repository. */
export function PushHookSection({ projectId }: { projectId: string }) {
  const [hook] = trpc.pushHooks.get.useSuspenseQuery({ id: projectId });
  const [{ pushUrl }] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  return (
    <section aria-label="Push hook" className="flex flex-col gap-4">
      <Card className="flex max-w-2xl flex-col gap-4">
        <CardHeader
          title="Push hook"
          description="Deploys when you push. Works with GitHub, GitLab, Gitea, Bitbucket and curl."
        />
        {hook.enabledAt === null ? (
          <>
            {pushUrl !== null && <WatchedPaths projectId={projectId} hook={hook} />}
            <TurnOn projectId={projectId} />
          </>
        ) : (
          <ActiveHook projectId={projectId} hook={hook} />
        )}
      </Card>
      <PushDeliveries projectId={projectId} />
    </section>
  );
}

function TurnOn({ projectId }: { projectId: string }) {
  const utils = trpc.useUtils();
  const create = useAction(trpc.pushHooks.renewSecret.useMutation({ gcTime: 0 }), {
    success: 'Push hook turned on',
    failure: 'Failed to turn on the push hook',
    serverSpeaks: true,
    refresh: [utils.pushHooks.get, utils.pushHooks.secret],
  });
  return (
    <Button className="self-start" {...create.button} onClick={() => create.run({ id: projectId })}>
      <Webhook aria-hidden="true" />
      Turn on
    </Button>
  );
}

interface HookProps {
  projectId: string;
  hook: PushHook;
}

function ActiveHook({ projectId, hook }: HookProps) {
  return (
    <>
      <p className="text-muted text-sm">
        Add a webhook for pushes at your Git host with this URL and secret. In GitLab, enter the secret as the
        secret token.
      </p>
      <CodeBlock code={hook.address} label="URL" wrap />
      <Secret projectId={projectId} />
      <WatchedPaths projectId={projectId} hook={hook} />
      <div className="flex flex-wrap gap-2 border-line border-t pt-4">
        <RenewSecret projectId={projectId} />
        <TurnOff projectId={projectId} />
      </div>
    </>
  );
}

/** Fetched when it is asked for, and forgotten when it is not shown any more. */
function Secret({ projectId }: { projectId: string }) {
  const [isShown, setShown] = useState(false);
  const secret = trpc.pushHooks.secret.useQuery(
    { id: projectId },
    { enabled: isShown, staleTime: 0, gcTime: 0 },
  );
  if (!isShown) {
    return (
      <Button className="self-start" onClick={() => setShown(true)}>
        Show secret
      </Button>
    );
  }
  if (secret.data) return <CodeBlock code={secret.data.secret} label="secret" wrap />;
  if (secret.error) return <LoadFailure query={secret} failure="Failed to load the secret" />;
  return (
    <SkeletonGroup label="Loading the secret">
      <Skeleton className="h-14 rounded-lg" />
    </SkeletonGroup>
  );
}

function WatchedPaths({ projectId, hook }: HookProps) {
  const utils = trpc.useUtils();
  const draft = useDraft({ paths: hook.paths.join('\n') });
  const save = useAction(trpc.pushHooks.update.useMutation(), {
    success: 'Paths saved',
    failure: 'Failed to save paths',
    serverSpeaks: true,
    onDone: (saved) => {
      utils.pushHooks.get.setData({ id: projectId }, saved);
      draft.reset();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    const paths = draft.values.paths.split('\n').filter((path) => path.trim() !== '');
    if (draft.changed && !save.pending) save.run({ id: projectId, paths });
  }
  const [fault] = Object.values(save.fields);
  return (
    <form onSubmit={submit} className="flex flex-col gap-3" noValidate>
      <Field
        label="Watched paths"
        error={fault}
        hint="One folder or file per line. Only pushes that change one of them deploy. Leave blank to deploy every push."
      >
        <Textarea
          value={draft.values.paths}
          onChange={(event) => draft.set('paths', event.target.value)}
          placeholder="apps/web"
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      {draft.changed && (
        <Button type="submit" className="self-start" {...save.button}>
          Save paths
        </Button>
      )}
    </form>
  );
}

function RenewSecret({ projectId }: { projectId: string }) {
  const utils = trpc.useUtils();
  const renew = useAction(trpc.pushHooks.renewSecret.useMutation({ gcTime: 0 }), {
    success: 'Secret renewed',
    failure: 'Failed to renew the secret',
    serverSpeaks: true,
    refresh: [utils.pushHooks.get, utils.pushHooks.secret],
  });
  return (
    <ConfirmDialog
      title="Renew secret?"
      description="Pushes signed with the old secret are refused until you enter the new one at your Git host."
      label="Renew secret"
      action={renew}
      onConfirm={(close) => renew.run({ id: projectId }, close)}
      trigger={(open) => <Button onClick={open}>Renew secret</Button>}
    />
  );
}

function TurnOff({ projectId }: { projectId: string }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.pushHooks.remove.useMutation(), {
    success: 'Push hook turned off',
    failure: 'Failed to turn off the push hook',
    serverSpeaks: true,
    refresh: [utils.pushHooks.get],
  });
  return (
    <ConfirmDialog
      title="Turn off push hook?"
      description="Pushes no longer deploy. If you turn it on again, it has a new secret."
      label="Turn off"
      action={remove}
      onConfirm={(close) => remove.run({ id: projectId }, close)}
      trigger={(open) => <Button onClick={open}>Turn off</Button>}
    />
  );
}
