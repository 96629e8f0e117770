import type { ImageRepository } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { whatAllFree, whatWasFreed } from './freed.ts';
import { useStorageQueries } from './use-storage-queries.ts';

/** The way out of all untagged images of a repository, which asks for its name. */
export function DeleteUntagged({ repository: { id, name, untagged } }: { repository: ImageRepository }) {
  const [asking, setAsking] = useState(false);
  const remove = useAction(trpc.containers.removeUntagged.useMutation(), {
    failure: 'Failed to delete the untagged images',
    serverSpeaks: true,
    refresh: useStorageQueries(),
    onDone: (deletion) => {
      setAsking(false);
      toast({ title: 'Untagged images deleted', description: whatWasFreed(deletion) });
    },
  });
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete untagged images
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete Untagged Images?"
        description={`${whatAllFree(untagged)} Tags and what they need stay.`}
        name={name}
        confirmLabel="Delete untagged images"
        onConfirm={() => remove.run({ id })}
        pending={remove.pending}
        refusal={remove.refusal}
      />
    </>
  );
}
