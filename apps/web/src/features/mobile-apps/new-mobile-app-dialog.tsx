import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { inputOf, isComplete, NEW_MOBILE_APP } from './mobile-app-draft.ts';
import { MobileAppFields } from './mobile-app-fields.tsx';

export interface NewMobileAppDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function NewMobileAppDialog({ open, onOpenChange }: NewMobileAppDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="New Mobile App"
        description="Its build configuration is generated from these settings, in a second step."
        wide
      >
        <NewMobileAppForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the dialog, so that each opening starts from the defaults. */
function NewMobileAppForm({ onDone }: { onDone: () => void }) {
  const utils = trpc.useUtils();
  const draft = useDraft(NEW_MOBILE_APP);
  const create = useAction(trpc.mobileApps.create.useMutation(), {
    success: 'Mobile app created successfully',
    failure: 'Failed to create mobile app',
    refresh: [utils.mobileApps.list],
    onDone: () => {
      draft.reset();
      onDone();
    },
  });
  const complete = isComplete(draft.values);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (complete && !create.pending) create.run(inputOf(draft.values));
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <MobileAppFields draft={draft} errors={create.fields} />
      <FormEnd label="Create" disabled={!complete} pending={create.pending} refusal={create.refusal} />
    </form>
  );
}
