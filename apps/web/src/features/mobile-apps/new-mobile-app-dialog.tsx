import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { inputOf, isComplete, NEW_MOBILE_APP } from './mobile-app-draft.ts';
import { MobileAppFields } from './mobile-app-fields.tsx';

export function NewMobileAppDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const draft = useDraft(NEW_MOBILE_APP);
  const create = useAction(trpc.mobileApps.create.useMutation(), {
    success: 'Mobile app created successfully',
    failure: 'Failed to create mobile app',
    refresh: [utils.mobileApps.list],
    leave: onClose,
  });
  return (
    <FormDialog
      title="New Mobile App"
      description="Add the app's settings, then generate its build configuration."
      wide
      label="Create"
      ready={isComplete(draft.values)}
      action={create}
      onSubmit={() => create.run(inputOf(draft.values))}
      onClose={onClose}
    >
      <MobileAppFields draft={draft} errors={create.fields} />
    </FormDialog>
  );
}
