import type { Project } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** The way out of a project, which asks for its name. */
export function DeleteProject({ project }: { project: Project }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = useAction(trpc.projects.remove.useMutation(), {
    success: 'Project deleted',
    failure: 'Failed to delete project',
    serverSpeaks: true,
    refresh: [utils.projects.list],
    onDone: () => {
      setAsking(false);
      // Once it is out of sight: going back has to ask the server, and find it gone.
      void navigate({ to: '/deployments' }).then(() => utils.projects.get.reset({ id: project.id }));
    },
  });
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete Project?"
        description={`The running app, its releases, its logs and its environment variables are deleted for good. ${project.repositoryUrl ? 'The repository itself is not touched.' : ''}`}
        name={project.name}
        confirmLabel="Delete project"
        onConfirm={() => remove.run({ id: project.id })}
        pending={remove.pending}
        refusal={remove.refusal}
      />
    </>
  );
}
