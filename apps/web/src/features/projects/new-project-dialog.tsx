import type { Project } from '@nephos/contracts';
import { DEFAULT_BRANCH, DEFAULT_FRAMEWORK, TEMPLATE_FRAMEWORKS } from '@nephos/contracts/constants';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useLimit } from '../../lib/use-limit.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NewProjectEnvironment, NO_ENVIRONMENT } from './new-project-environment.tsx';
import { type ProjectDraft, ProjectFields } from './project-fields.tsx';
import { NO_SOURCE, sourceOf } from './source-draft.ts';

const DEFAULTS: ProjectDraft = {
  ...NO_SOURCE,
  name: '',
  description: '',
  branch: DEFAULT_BRANCH,
  framework: DEFAULT_FRAMEWORK,
};

/** Makes a project and opens it: at the log of its first deployment, or where it says what to do next. */
export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const draft = useDraft(DEFAULTS);
  const [environment, setEnvironment] = useState(NO_ENVIRONMENT);
  const create = useAction(trpc.projects.create.useMutation(), {
    success: 'Project created successfully',
    failure: 'Failed to create project',
    refresh: [utils.projects.list],
    leave: (project) => {
      onClose();
      // In a turn of its own: the history takes two changes of one turn for one, and going back would open the dialog.
      setTimeout(() => void navigate(pageOf(project)));
    },
  });
  const [runtimes] = trpc.projects.runtimes.useSuspenseQuery();
  const { name, description, source, template, framework, rootDirectory } = draft.values;
  const wanted = source === 'template' ? TEMPLATE_FRAMEWORKS[template] : framework;
  const canRun =
    source === 'image'
      ? draft.values.image.trim() !== ''
      : runtimes.some((runtime) => runtime.framework === wanted && runtime.available);
  const isPushed = source === 'push' || (source === 'repository' && draft.values.repositoryUrl.trim() === '');
  const input = {
    ...{ name, description, ...sourceOf(draft.values) },
    ...((source === 'repository' || source === 'push') && { settings: { rootDirectory } }),
    // Of what is pushed, the branch that comes first.
    ...(isPushed && { branch: '' }),
    ...(source === 'template' && { template }),
  };
  return (
    <FormDialog
      title="New Project"
      description="Choose a source to deploy it right away, or push it from your local computer."
      label="Create"
      ready={name.trim() !== '' && environment.ready && canRun}
      limit={useLimit('projects')}
      action={create}
      onSubmit={() => create.run({ ...input, ...environment.input })}
      onClose={onClose}
    >
      <ProjectFields draft={draft} errors={create.fields} />
      <NewProjectEnvironment name={name} onChange={setEnvironment} errors={create.fields} />
    </FormDialog>
  );
}

function pageOf({ id: projectId, latestDeployment }: Project) {
  const params = { projectId };
  return latestDeployment
    ? ({ to: '/projects/$projectId/log', params, search: { deployment: latestDeployment.id } } as const)
    : ({ to: '/projects/$projectId', params } as const);
}
