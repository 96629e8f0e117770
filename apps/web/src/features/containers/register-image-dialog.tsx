import { DEFAULT_IMAGE_TAG } from '@nephos/contracts/constants';
import type { FieldErrors } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Draft, useDraft } from '../../lib/use-draft.ts';
import { useStorageLimit } from '../../lib/use-limit.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';

const DEFAULTS = { name: '', tag: DEFAULT_IMAGE_TAG, isPublic: false };

export function RegisterImageDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const draft = useDraft(DEFAULTS);
  const { name, tag, isPublic } = draft.values;
  const register = useAction(trpc.containers.create.useMutation(), {
    success: 'Container image registered successfully',
    failure: 'Failed to register container image',
    // The visibility holds for all tags of a name, so the other images' pages are old as well.
    refresh: [utils.containers.list, utils.containers.get],
    leave: onClose,
  });

  return (
    <FormDialog
      title="Register Image"
      description="Reserves the name and tag until you push."
      label="Register"
      ready={name.trim() !== ''}
      limit={useStorageLimit()}
      action={register}
      onSubmit={() => register.run({ name, tag: tag.trim() || DEFAULT_IMAGE_TAG, isPublic })}
      onClose={onClose}
    >
      <ImageFields draft={draft} errors={register.fields} />
    </FormDialog>
  );
}

interface ImageFieldsProps {
  draft: Draft<typeof DEFAULTS>;
  errors: FieldErrors;
}

function ImageFields({ draft: { values, set }, errors }: ImageFieldsProps) {
  const { data: registry } = trpc.containers.registry.useQuery();
  return (
    <>
      <Field
        label="Name"
        required
        error={errors.name}
        hint={
          <>
            Full name: <code>{`${registry?.namespace ?? '…'}/${values.name.trim() || 'name'}`}</code>
          </>
        }
      >
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="my-app"
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <Field label="Tag" error={errors.tag}>
        <Input
          value={values.tag}
          onChange={(event) => set('tag', event.target.value)}
          className="font-mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <Field
        label="Public"
        hint="Anyone can pull a public image without logging in. Applies to all of its tags."
      >
        <Switch checked={values.isPublic} onCheckedChange={(isPublic) => set('isPublic', isPublic)} />
      </Field>
    </>
  );
}
