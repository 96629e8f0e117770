import type { Project } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import {
  type AppStanding,
  DeploymentStatusBadge,
  IN_PROGRESS,
  isUnfinished,
} from '../../lib/deployment-status.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { AppActions } from './app-actions.tsx';
import { AppLink } from './app-link.tsx';
import { DeployButton } from './deploy-button.tsx';
import { appOf, SourceLabel } from './project-card.tsx';

export interface ProjectHeaderProps {
  project: Project;
  standing: AppStanding;
}

/** What a project is, what its app does, and what can be done about it. */
export function ProjectHeader({ project, standing }: ProjectHeaderProps) {
  useWindowTitle(project.name);
  const inProgress = standing.live && standing.latest && isUnfinished(standing.latest);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 max-w-full">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="min-w-0 break-words font-semibold text-2xl tracking-tight">{project.name}</h1>
          <DeploymentStatusBadge status={standing.state} />
          {inProgress && <span className="text-muted text-sm">{IN_PROGRESS}</span>}
        </div>
        <p className="mt-1 line-clamp-3 break-words text-muted">{project.description || 'No description'}</p>
        <div className="mt-2 flex min-w-0 items-center gap-1">
          {standing.live ? (
            <AppLink url={project.url} />
          ) : (
            <span className="min-w-0 truncate text-faint text-sm">{project.url}</span>
          )}
          <CopyButton value={project.url} label="Copy URL" />
        </div>
        {(project.image || appOf(project)) && (
          <div className="mt-1 flex">
            <SourceLabel project={project} />
          </div>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <AppActions project={project} standing={standing} />
        <DeleteProject project={project} />
        <DeployButton project={project} variant="primary" hasMenu />
      </div>
    </header>
  );
}

/** What a deletion leaves. */
function afterDeletion({ repositoryUrl, pushed, image }: Project): string {
  if (pushed) return ' So does the repository that you push to.';
  if (repositoryUrl) return ' Its previews are deleted as well. The Git repository is not affected.';
  return image ? ' The image is not affected.' : '';
}

/** The way out of a project, which asks for its name. */
function DeleteProject({ project }: { project: Project }) {
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const { data: containers } = trpc.projects.containerRuntime.useQuery();
  const builtImages = containers?.available ? ' Images built for it leave the container registry.' : '';
  const remove = useAction(trpc.projects.remove.useMutation(), {
    success: 'Project deleted',
    failure: 'Failed to delete project',
    serverSpeaks: true,
    refresh: [utils.projects.list],
    // Once it is out of sight: going back has to ask the server, and find it gone.
    onDone: () =>
      void navigate({ to: '/deployments' }).then(() => utils.projects.get.reset({ id: project.id })),
  });
  return (
    <DeleteDialog
      title="Delete project?"
      description={`Permanently deletes the app with its releases, disks, logs and environment variables.${afterDeletion(project)}${builtImages}`}
      name={project.name}
      label="Delete project"
      action={remove}
      onConfirm={(close) => remove.run({ id: project.id }, close)}
      trigger={(open) => (
        <Button variant="ghost" onClick={open}>
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      )}
    />
  );
}
