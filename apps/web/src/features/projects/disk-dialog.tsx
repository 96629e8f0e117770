import type { Disk, DiskSupport } from '@nephos/contracts';
import {
  DEFAULT_DISK_PATH,
  DEFAULT_DISK_SIZE,
  MAX_DISK_SIZE,
  MIN_DISK_SIZE,
} from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { typedNumber } from '../../lib/typed-number.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';

export interface DiskDialogProps {
  projectId: string;
  support: DiskSupport;
  onClose: () => void;
}

export function DiskDialog({ projectId, support: { mounted, limited }, onClose }: DiskDialogProps) {
  const utils = trpc.useUtils();
  const draft = useDraft({
    name: 'data',
    path: mounted ? DEFAULT_DISK_PATH : 'data',
    size: String(DEFAULT_DISK_SIZE),
  });
  const add = useAction(trpc.disks.add.useMutation(), {
    success: 'Disk added. Restart or deploy the app to use it.',
    failure: 'Failed to add the disk',
    serverSpeaks: true,
    refresh: [utils.disks.list],
    leave: onClose,
  });
  const { name, path, size } = draft.values;
  return (
    <FormDialog
      title="Add disk"
      description="Available to the app after the next restart or deployment."
      label="Add disk"
      ready={name.trim() !== '' && path.trim() !== '' && size.trim() !== ''}
      action={add}
      onSubmit={() =>
        add.run({ id: projectId, name: name.trim(), path, size: typedNumber(size) ?? DEFAULT_DISK_SIZE })
      }
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
      <SizeField
        value={size}
        onChange={(text) => draft.set('size', text)}
        error={add.fields.size}
        hint={
          limited
            ? 'You can make it larger later, but not smaller.'
            : "This server can't enforce the size: what the app writes isn't limited."
        }
      />
    </FormDialog>
  );
}

export interface ResizeDialogProps {
  projectId: string;
  disk: Disk;
  support: DiskSupport;
  onClose: () => void;
}

/** Makes a disk larger. */
export function ResizeDialog({ projectId, disk, support: { growsInUse }, onClose }: ResizeDialogProps) {
  const utils = trpc.useUtils();
  const draft = useDraft({ size: String(disk.size) });
  const grow = useAction(trpc.disks.grow.useMutation(), {
    success: growsInUse ? 'Disk resized' : 'Disk resized. Restart or deploy the app to use the space.',
    failure: 'Failed to resize the disk',
    serverSpeaks: true,
    refresh: [utils.disks.list],
    leave: onClose,
  });
  const { size } = draft.values;
  return (
    <FormDialog
      title={`Resize ${disk.name}`}
      description={
        growsInUse
          ? 'The app keeps running and gets the space right away.'
          : 'The app gets the space with its next restart or deployment.'
      }
      label="Resize disk"
      ready={draft.changed && size.trim() !== ''}
      action={grow}
      onSubmit={() => grow.run({ id: projectId, name: disk.name, size: typedNumber(size) ?? disk.size })}
      onClose={onClose}
    >
      <SizeField
        value={size}
        onChange={(text) => draft.set('size', text)}
        error={grow.fields.size}
        hint="A disk can't be made smaller again."
      />
    </FormDialog>
  );
}

interface SizeFieldProps {
  /** As typed. */
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  hint: string;
}

function SizeField({ value, onChange, error, hint }: SizeFieldProps) {
  return (
    <Field label="Size (MB)" required error={error} hint={hint}>
      <Input
        type="number"
        inputMode="numeric"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        min={MIN_DISK_SIZE}
        max={MAX_DISK_SIZE}
      />
    </Field>
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
