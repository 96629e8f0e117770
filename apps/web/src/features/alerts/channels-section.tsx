import type { AlertChannel } from '@nephos/contracts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import type { ChannelDialogProps } from './channel-dialog.tsx';
import { CHANNEL_WORDS } from './channel-words.ts';
import type { DeliveriesDialogProps } from './deliveries-dialog.tsx';
import { SigningSecretButton } from './signing-secret.tsx';

const ChannelDialog = lateDialog<ChannelDialogProps>({ fields: 4, wide: true }, () =>
  import('./channel-dialog.tsx').then((file) => file.ChannelDialog),
);
const DeliveriesDialog = lateDialog<DeliveriesDialogProps>({ fields: 3, wide: true }, () =>
  import('./deliveries-dialog.tsx').then((file) => file.DeliveriesDialog),
);

/** Where the alerts of the workspace are told. */
export function ChannelsSection() {
  const list = trpc.alertChannels.list.useQuery();
  const need = useNeed('build');
  const [adding, setAdding] = useState(false);
  return (
    <Card>
      <CardHeader
        title="Channels"
        description="Slack, Discord, Microsoft Teams or your own webhook. Alerts are posted there for everyone."
      />
      {list.data?.length === 0 ? (
        <p className="mt-4 text-muted">No channels yet. Alerts are shown here and at the bell alone.</p>
      ) : list.data ? (
        <ul aria-label="Channels" className="mt-4 divide-y divide-line">
          {list.data.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} />
          ))}
        </ul>
      ) : list.error ? (
        <LoadFailure query={list} failure="The channels couldn't be loaded." />
      ) : (
        <Skeleton className="mt-4 h-16 w-full" />
      )}
      <Button
        className="mt-4"
        {...need}
        onClick={() => setAdding(true)}
        onPointerEnter={ChannelDialog.preload}
      >
        <Plus aria-hidden="true" />
        Add channel
      </Button>
      {adding && <ChannelDialog onClose={() => setAdding(false)} />}
    </Card>
  );
}

function ChannelRow({ channel }: { channel: AlertChannel }) {
  const { id, type, name, address, enabled, failingSince, problem } = channel;
  const need = useNeed('build');
  const [open, setOpen] = useState<'edit' | 'deliveries'>();
  const close = () => setOpen(undefined);
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {!enabled && <Badge>Off</Badge>}
          {failingSince && <Badge tone="danger">Failing</Badge>}
        </p>
        <p className="break-all text-muted text-sm">
          {CHANNEL_WORDS[type].label} · {address}
        </p>
        {problem && <p className="break-words text-danger text-sm">{problem}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <TestButton channel={channel} />
        <Button size="sm" aria-label={`Deliveries to ${name}`} onClick={() => setOpen('deliveries')}>
          Deliveries
        </Button>
        {type === 'webhook' && <SigningSecretButton id={id} name={name} />}
        <Button size="sm" {...need} aria-label={`Edit ${name}`} onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <DeleteButton channel={channel} />
      </div>
      {open === 'edit' && <ChannelDialog channel={channel} onClose={close} />}
      {open === 'deliveries' && <DeliveriesDialog channel={channel} onClose={close} />}
    </li>
  );
}

function TestButton({ channel: { id, name } }: { channel: AlertChannel }) {
  const utils = trpc.useUtils();
  const test = useAction(trpc.alertChannels.test.useMutation(), {
    failure: 'Failed to send the test',
    serverSpeaks: true,
    refresh: [utils.alertChannels.list, utils.alertChannels.deliveries],
    onDone: ({ problem }) =>
      toast(
        problem
          ? { title: 'The test failed', description: problem, variant: 'destructive' }
          : { title: 'Test sent', description: `${name} accepted it.` },
      ),
  });
  return (
    <Button size="sm" aria-label={`Send test to ${name}`} {...test.button} onClick={() => test.run({ id })}>
      Send test
    </Button>
  );
}

function DeleteButton({ channel: { id, name } }: { channel: AlertChannel }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.alertChannels.remove.useMutation(), {
    success: 'Channel deleted',
    failure: 'Failed to delete the channel',
    serverSpeaks: true,
    refresh: [utils.alertChannels.list],
  });
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      description="Alerts are no longer posted there. Its deliveries are deleted, too."
      label="Delete channel"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(ask) => (
        <Button size="sm" aria-label={`Delete ${name}`} onClick={ask}>
          Delete
        </Button>
      )}
    />
  );
}
