import type { MobileApp } from '@nephos/contracts';
import { useDraft } from '../../lib/use-draft.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { draftOf, inputOf, isComplete } from './mobile-app-draft.ts';
import { MobileAppFields } from './mobile-app-fields.tsx';
import { useSaveMobileApp } from './use-save-mobile-app.ts';

interface EditMobileAppDialogProps {
  app: MobileApp;
  onClose: () => void;
}

export function EditMobileAppDialog({ app, onClose }: EditMobileAppDialogProps) {
  const { id, name, buildNumber, buildStatus } = app;
  const draft = useDraft(draftOf(app));
  const save = useSaveMobileApp(buildStatus, onClose);
  return (
    <FormDialog
      title="Edit mobile app"
      description={
        buildStatus === 'configured' ? (
          <>
            Saving regenerates the build configuration of{' '}
            <strong className="break-words font-semibold text-fg">{name}</strong>. Replace the files in your
            project afterwards.
          </>
        ) : (
          <span className="break-words">{name}</span>
        )
      }
      wide
      label="Save"
      ready={draft.changed && isComplete(draft.values)}
      action={save}
      onSubmit={() => save.run({ id, ...inputOf(draft.values) })}
      onClose={onClose}
    >
      <MobileAppFields draft={draft} errors={save.fields} lastBuild={buildNumber} />
    </FormDialog>
  );
}
