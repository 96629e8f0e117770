import type { Project } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Square, Trash2 } from 'lucide-react';
import { DeploymentStatusBadge } from '../../lib/deployment-status.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDeploymentAction } from '../../lib/use-deployment-changes.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { AppLink } from './app-link.tsx';
import { DeployButton } from './deploy-button.tsx';

export function ProjectHeader({ project }: { project: Project }) {
  useWindowTitle(project.name);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 max-w-full">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="min-w-0 break-words font-semibold text-2xl tracking-tight">{project.name}</h1>
          {project.latestDeployment && <DeploymentStatusBadge status={project.latestDeployment.status} />}
        </div>
        <p className="mt-1 line-clamp-3 break-words text-muted">{project.description || 'No description'}</p>
        <div className="mt-2 flex min-w-0 items-center gap-1">
          {project.liveDeploymentId ? (
            <AppLink url={project.url} />
          ) : (
            <span className="min-w-0 truncate text-faint text-sm">{project.url}</span>
          )}
          <CopyButton value={project.url} label="Copy URL" />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <StopButton liveDeploymentId={project.liveDeploymentId} />
        <DeleteProject project={project} />
        <DeployButton project={project} variant="primary" />
      </div>
    </header>
  );
}

/** Stops the app that is serving, if one is; Deploy or Rollback starts one again. */
function StopButton({ liveDeploymentId }: { liveDeploymentId: string | null }) {
  const stop = useDeploymentAction(trpc.deployments.stop.useMutation(), {
    success: 'App stopped',
    failure: 'Failed to stop the app',
  });
  return (
    <Button
      disabled={liveDeploymentId === null}
      pending={stop.pending}
      onClick={() => liveDeploymentId && stop.run({ id: liveDeploymentId })}
    >
      {!stop.pending && <Square aria-hidden="true" />}
      Stop
    </Button>
  );
}

/** The way out of a project, which asks for its name. */
function DeleteProject({ project }: { project: Project }) {
  const navigate = useNavigate();
  const utils = trpc.useUtils();
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
      title="Delete Project?"
      description={`The running app, its releases, its logs and its environment variables are deleted for good. ${project.repositoryUrl ? 'The repository itself is not touched.' : ''}`}
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
