import { DEFAULT_NOT_FOUND_DOCUMENT, DEFAULT_SITE_INDEX } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PlainInput } from '../../ui/plain-input.tsx';

interface SiteDialogProps {
  /** The bucket. */
  id: string;
  /** Null where the site is off. */
  index: string | null;
  notFound: string | null;
  onClose: () => void;
}

/** Asks with which files a site answers. */
export function SiteDialog({ id, index, notFound, onClose }: SiteDialogProps) {
  const utils = trpc.useUtils();
  const isOn = index !== null;
  const { values, set } = useDraft({
    index: index ?? DEFAULT_SITE_INDEX,
    notFound: isOn ? (notFound ?? '') : DEFAULT_NOT_FOUND_DOCUMENT,
  });
  const save = useAction(trpc.bucketSites.set.useMutation(), {
    success: isOn ? 'Web site saved' : 'Web site turned on',
    failure: 'Failed to save the web site',
    serverSpeaks: true,
    refresh: [utils.bucketSites.get],
    leave: onClose,
  });
  return (
    <FormDialog
      title="Web site"
      description="Which files answer when an address names none."
      label={isOn ? 'Save' : 'Turn on'}
      ready={values.index.trim() !== ''}
      action={save}
      onSubmit={() => save.run({ id, index: values.index, notFound: values.notFound.trim() || null })}
      onClose={onClose}
    >
      <Field label="Index page" required error={save.fields.index} hint="Shown for a folder">
        <PlainInput value={values.index} onChange={(event) => set('index', event.target.value)} />
      </Field>
      <Field
        label="Error page"
        error={save.fields.notFound}
        hint="Shown where nothing is found. Leave it empty for a plain page."
      >
        <PlainInput value={values.notFound} onChange={(event) => set('notFound', event.target.value)} />
      </Field>
    </FormDialog>
  );
}
