import type { MobileApp } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

/** Asks for the app's name, then deletes it. */
export function DeleteMobileApp({ app: { id, name } }: { app: MobileApp }) {
  const [asking, setAsking] = useState(false);
  const utils = trpc.useUtils();
  const remove = useAction(trpc.mobileApps.remove.useMutation(), {
    success: 'Mobile app deleted successfully',
    failure: 'Failed to delete mobile app',
    refresh: [utils.mobileApps.list],
    onDone: () => setAsking(false),
  });
  return (
    <>
      <IconButton
        label={`Delete ${name}`}
        title="Delete"
        size="sm"
        className="-mr-2"
        onClick={() => setAsking(true)}
      >
        <Trash2 />
      </IconButton>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete Mobile App?"
        description={
          <>
            The settings and the build configuration of{' '}
            <strong className="break-words font-semibold text-fg">{name}</strong> are deleted for good. What
            is in a store already stays there.
          </>
        }
        name={name}
        confirmLabel="Delete mobile app"
        onConfirm={() => remove.run({ id })}
        pending={remove.pending}
        refusal={remove.refusal}
      />
    </>
  );
}
