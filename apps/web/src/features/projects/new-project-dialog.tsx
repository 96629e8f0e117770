import type { NewProject } from '@nephos/contracts';
import { DEFAULT_BRANCH, DEFAULT_FRAMEWORK } from '@nephos/contracts/constants';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ProjectFields } from './project-fields.tsx';

const DEFAULTS: Required<Omit<NewProject, 'template'>> = {
  name: '',
  description: '',
  repositoryUrl: '',
  branch: DEFAULT_BRANCH,
  framework: DEFAULT_FRAMEWORK,
};

export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const draft = useDraft(DEFAULTS);
  const create = useAction(trpc.projects.create.useMutation(), {
    success: 'Project created successfully',
    failure: 'Failed to create project',
    refresh: [utils.projects.list],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="New Project"
      description="With a repository, its first deployment starts at once."
      label="Create"
      ready={draft.values.name.trim() !== ''}
      action={create}
      onSubmit={() => create.run(draft.values)}
      onClose={onClose}
    >
      <ProjectFields draft={draft} errors={create.fields} />
    </FormDialog>
  );
}
