import { DEFAULT_LOG_AGE, DEFAULT_LOG_SIZE } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { textOfNumber, typedNumber } from '../../lib/typed-number.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';

interface RetentionDialogProps {
  projectId: string;
  onClose: () => void;
}

/** How much of a project's logs is kept, and for how long; blank is the default. */
export function RetentionDialog({ projectId, onClose }: RetentionDialogProps) {
  const [{ settings }] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const utils = trpc.useUtils();
  const draft = useDraft({ size: textOfNumber(settings.logSize), age: textOfNumber(settings.logAge) });
  const save = useAction(trpc.projects.update.useMutation(), {
    success: 'Log retention saved',
    failure: 'Failed to save log retention',
    onDone: (saved) => utils.projects.get.setData({ id: projectId }, saved),
    leave: onClose,
  });
  return (
    <FormDialog
      title="Log retention"
      description="The oldest lines are deleted once either limit is reached."
      label="Save"
      ready={draft.changed}
      action={save}
      onSubmit={() =>
        save.run({
          id: projectId,
          settings: { logSize: typedNumber(draft.values.size), logAge: typedNumber(draft.values.age) },
        })
      }
      onClose={onClose}
    >
      <Field
        label="Size in MB"
        error={save.fields['settings.logSize']}
        hint={`Leave blank for ${DEFAULT_LOG_SIZE} MB.`}
      >
        <Input
          inputMode="numeric"
          value={draft.values.size}
          placeholder={String(DEFAULT_LOG_SIZE)}
          onChange={(event) => draft.set('size', event.target.value)}
        />
      </Field>
      <Field
        label="Age in days"
        error={save.fields['settings.logAge']}
        hint={`Leave blank for ${DEFAULT_LOG_AGE} days.`}
      >
        <Input
          inputMode="numeric"
          value={draft.values.age}
          placeholder={String(DEFAULT_LOG_AGE)}
          onChange={(event) => draft.set('age', event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
