import { useNavigate } from '@tanstack/react-router';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';

export function NewBucketDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const { values, set } = useDraft({ name: '', isPublic: false, versioning: false });
  const create = useAction(trpc.buckets.create.useMutation(), {
    success: 'Bucket created',
    failure: 'Failed to create the bucket',
    serverSpeaks: true,
    refresh: [utils.buckets.list],
    leave: ({ id }) => {
      onClose();
      void navigate({ to: '/storage/buckets/$bucketId', params: { bucketId: id } });
    },
  });
  return (
    <FormDialog
      title="New Bucket"
      description="A place for files that S3 clients reach."
      label="Create bucket"
      ready={values.name !== ''}
      action={create}
      onSubmit={() => create.run(values)}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        error={create.fields.name}
        hint="3 to 63 lower-case letters, digits, dots and hyphens. Unique on this server."
      >
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="team-backups"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Public" hint="Anybody can read its files by their addresses. Nobody else can list them.">
        <Switch checked={values.isPublic} onCheckedChange={(on) => set('isPublic', on)} />
      </Field>
      <Field label="Keep versions" hint="What is replaced or deleted stays as a former version, and counts.">
        <Switch checked={values.versioning} onCheckedChange={(on) => set('versioning', on)} />
      </Field>
    </FormDialog>
  );
}
