import type { AlertChannel, AlertKind, QuietHours } from '@nephos/contracts';
import { ALERT_CHANNEL_TYPES, CHOSEN_ALERT_KINDS } from '@nephos/contracts/constants';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { CHANNEL_WORDS } from './channel-words.ts';
import { KindsField } from './kinds-field.tsx';
import { ProjectField } from './project-field.tsx';
import { QuietFields } from './quiet-fields.tsx';

export interface ChannelDialogProps {
  /** The channel to change; absent, a new one is made. */
  channel?: AlertChannel | undefined;
  onClose: () => void;
}

const TYPES = ALERT_CHANNEL_TYPES.map((value) => ({ value, label: CHANNEL_WORDS[value].label }));

/** Asks where alerts are to be told, which, and when. */
export function ChannelDialog({ channel, onClose }: ChannelDialogProps) {
  const [type, setType] = useState<AlertChannel['type']>(channel?.type ?? 'slack');
  const [name, setName] = useState(channel?.name ?? '');
  const [address, setAddress] = useState('');
  const [enabled, setEnabled] = useState(channel?.enabled ?? true);
  const [kinds, setKinds] = useState<AlertKind[]>(channel?.kinds ?? [...CHOSEN_ALERT_KINDS]);
  const [projectId, setProjectId] = useState(channel?.projectId ?? null);
  const [quietHours, setQuietHours] = useState<QuietHours | null>(channel?.quietHours ?? null);
  const { create, update } = useChannelActions(onClose);
  const action = channel ? update : create;
  const typed = address.trim();

  function submit() {
    const same = { name, kinds, projectId, quietHours };
    if (channel) update.run({ id: channel.id, enabled, ...same, ...(typed && { address: typed }) });
    else create.run({ type, address: typed, ...same });
  }

  return (
    <FormDialog
      wide
      title={channel ? `Edit ${channel.name}` : 'Add channel'}
      description="Where this workspace's alerts are posted."
      label={channel ? 'Save' : 'Add channel'}
      ready={name.trim() !== '' && (channel !== undefined || typed !== '')}
      action={action}
      onSubmit={submit}
      onClose={onClose}
    >
      {!channel && (
        <Field label="Service">
          <Select value={type} options={TYPES} onValueChange={setType} />
        </Field>
      )}
      <Field label="Name" required error={action.fields.name}>
        <Input value={name} maxLength={60} onChange={({ target: { value } }) => setName(value)} />
      </Field>
      <Field
        label="Address"
        required={!channel}
        error={action.fields.address}
        hint={channel ? `Now ${channel.address} Leave empty to keep it.` : CHANNEL_WORDS[type].hint}
      >
        <Input
          value={address}
          onChange={({ target: { value } }) => setAddress(value)}
          placeholder="https://"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      {channel && (
        <Field label="Turned on">
          <Switch checked={enabled} onCheckedChange={setEnabled} />
        </Field>
      )}
      <ProjectField projectId={projectId} onChange={setProjectId} error={action.fields.projectId} />
      <KindsField legend="Which alerts" kinds={kinds} onChange={setKinds} />
      <QuietFields quietHours={quietHours} onChange={setQuietHours} fields={action.fields} />
    </FormDialog>
  );
}

function useChannelActions(onClose: () => void) {
  const utils = trpc.useUtils();
  const options = { serverSpeaks: true, refresh: [utils.alertChannels.list], leave: onClose };
  const create = useAction(trpc.alertChannels.create.useMutation(), {
    ...options,
    success: 'Channel added',
    failure: 'Failed to add the channel',
  });
  const update = useAction(trpc.alertChannels.update.useMutation(), {
    ...options,
    success: 'Channel saved',
    failure: 'Failed to save the channel',
  });
  return { create, update };
}
