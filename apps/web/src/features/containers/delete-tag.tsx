import type { ContainerImageDetail } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { whatGoes } from './what-goes.ts';

/** The way out of a tag, which asks for its name. */
export function DeleteTag({ image }: { image: ContainerImageDetail }) {
  const { id, name, tag } = image;
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = useAction(trpc.containers.remove.useMutation(), {
    success: 'Tag deleted',
    failure: 'Failed to delete the tag',
    serverSpeaks: true,
    refresh: [utils.containers.list],
    onDone: () => {
      setAsking(false);
      // Once it is out of sight: its own page is gone, and those of other tags still list it.
      void navigate({ to: '/containers' }).then(() => utils.containers.get.reset());
    },
  });
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete tag
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete Tag?"
        description={`Nobody can pull the image by this tag any more. ${whatGoes(image)}`}
        name={`${name}:${tag}`}
        confirmLabel="Delete tag"
        onConfirm={() => remove.run({ id })}
        pending={remove.pending}
        refusal={remove.refusal}
      />
    </>
  );
}
