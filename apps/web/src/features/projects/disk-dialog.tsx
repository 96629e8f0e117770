import { DEFAULT_DISK_PATH } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';

export interface DiskDialogProps {
  projectId: string;
  /** Whether a path outside of the app works on this server. */
  mounted: boolean;
  onClose: () => void;
}

export function DiskDialog({ projectId, mounted, onClose }: DiskDialogProps) {
  const utils = trpc.useUtils();
  const draft = useDraft({ name: 'data', path: mounted ? DEFAULT_DISK_PATH : 'data' });
  const add = useAction(trpc.disks.add.useMutation(), {
    success: 'Disk added. Restart or deploy the app to use it.',
    failure: 'Failed to add the disk',
    serverSpeaks: true,
    refresh: [utils.disks.list],
    leave: onClose,
  });
  const { name, path } = draft.values;
  return (
    <FormDialog
      title="Add disk"
      description="Available to the app after the next restart or deployment."
      label="Add disk"
      ready={name.trim() !== '' && path.trim() !== ''}
      action={add}
      onSubmit={() => add.run({ id: projectId, name: name.trim(), path })}
      onClose={onClose}
    >
      <Field label="Name" required error={add.fields.name}>
        <Input
          value={name}
          onChange={(event) => draft.set('name', event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Path" required error={add.fields.path} hint={<PathHint mounted={mounted} />}>
        <Input
          value={path}
          onChange={(event) => draft.set('path', event.target.value)}
          placeholder="data"
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}

/** Where the app finds it, which depends on what the server runs apps in. */
function PathHint({ mounted }: { mounted: boolean }) {
  if (mounted) {
    return (
      <>
        An absolute path like <code>/data</code>, or a folder of the app like <code>uploads</code>. Also in{' '}
        <code>NEPHOS_DATA</code>.
      </>
    );
  }
  return (
    <>
      A folder of the app, like <code>data</code> or <code>public/uploads</code>. This server can't mount
      absolute paths like <code>/data</code>: there, the app has to use the path in <code>NEPHOS_DATA</code>.
    </>
  );
}
