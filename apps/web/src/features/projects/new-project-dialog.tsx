import type { NewProject } from '@nephos/contracts';
import { DEFAULT_BRANCH, DEFAULT_FRAMEWORK } from '@nephos/contracts/constants';
import type { FormEvent } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { FrameworkField } from './framework-field.tsx';

const DEFAULTS: Required<NewProject> = {
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
  const { values, set, reset } = useDraft(DEFAULTS);
  const create = useAction(trpc.projects.create.useMutation(), {
    success: 'Project created successfully',
    failure: 'Failed to create project',
    refresh: [utils.projects.list],
    onDone: () => {
      reset();
      onDone();
    },
  });

  const named = values.name.trim() !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (named && !create.pending) create.run(values);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Name" required error={create.fields.name}>
        <Input
          value={values.name}
          onChange={(event) => set('name', event.target.value)}
          placeholder="my-app"
          autoComplete="off"
        />
      </Field>
      <Field label="Description" error={create.fields.description}>
        <Textarea
          value={values.description}
          onChange={(event) => set('description', event.target.value)}
          rows={2}
        />
      </Field>
      <Field
        label="Repository URL"
        error={create.fields.repositoryUrl}
        hint="An https address that Git can clone without a password. It can be added later."
      >
        <Input
          type="url"
          inputMode="url"
          value={values.repositoryUrl}
          onChange={(event) => set('repositoryUrl', event.target.value)}
          placeholder="https://github.com/you/app.git"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Branch" error={create.fields.branch}>
          <Input
            value={values.branch}
            onChange={(event) => set('branch', event.target.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
        <FrameworkField
          value={values.framework}
          onChange={(framework) => set('framework', framework)}
          error={create.fields.framework}
        />
      </div>
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
