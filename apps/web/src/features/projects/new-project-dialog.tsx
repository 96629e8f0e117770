import type { NewProject } from '@nephos/contracts';
import { DEFAULT_BRANCH, DEFAULT_FRAMEWORK } from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProjectFields } from './project-fields.tsx';

const DEFAULTS: Required<Omit<NewProject, 'template'>> = {
  name: '',
  description: '',
  repositoryUrl: '',
  branch: DEFAULT_BRANCH,
  framework: DEFAULT_FRAMEWORK,
};

export interface NewProjectDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function NewProjectDialog({ open, onOpenChange }: NewProjectDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="New Project"
        description="With a repository, its first deployment starts at once."
      >
        <NewProjectForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the dialog, so that each opening starts from the defaults. */
function NewProjectForm({ onDone }: { onDone: () => void }) {
  const utils = trpc.useUtils();
  const draft = useDraft(DEFAULTS);
  const create = useAction(trpc.projects.create.useMutation(), {
    success: 'Project created successfully',
    failure: 'Failed to create project',
    refresh: [utils.projects.list],
    onDone: () => {
      draft.reset();
      onDone();
    },
  });

  const named = draft.values.name.trim() !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (named && !create.pending) create.run(draft.values);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <ProjectFields draft={draft} errors={create.fields} />
      {create.refusal && <Notice tone="danger" title={create.refusal} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={!named} pending={create.pending}>
          Create
        </Button>
      </DialogFooter>
    </form>
  );
}
