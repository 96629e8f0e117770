import type { UntaggedImage } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.ts';
import { digestPrefix } from './digest.tsx';
import { whatOneFrees, whatWasFreed } from './freed.ts';
import { useStorageQueries } from './use-storage-queries.ts';

/** The way out of an untagged image, which asks for the beginning of its digest. */
export function DeleteUntaggedImage({ image: { id, digest } }: { image: UntaggedImage }) {
  const [asking, setAsking] = useState(false);
  const name = digestPrefix(digest);
  // Asked for when it is needed: what goes along is more to find out than what is listed.
  const detail = trpc.containers.untaggedImage.useQuery({ id }, { enabled: asking, gcTime: 0 });
  const remove = useAction(trpc.containers.removeUntaggedImage.useMutation(), {
    failure: 'Failed to delete the image',
    serverSpeaks: true,
    refresh: useStorageQueries(),
    onDone: (deletion) => {
      setAsking(false);
      toast({ title: 'Untagged image deleted', description: whatWasFreed(deletion) });
    },
  });
  return (
    <>
      <IconButton size="sm" label={`Delete ${name}`} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
      </IconButton>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete Untagged Image?"
        description={`Nobody can pull it by its digest any more. ${detail.data ? whatOneFrees(detail.data.deletion) : ''}`}
        name={name}
        confirmLabel="Delete image"
        onConfirm={() => remove.run({ id })}
        pending={remove.pending}
        refusal={remove.refusal}
      />
    </>
  );
}
