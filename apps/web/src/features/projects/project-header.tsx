import type { Project } from '@nephos/contracts';
import { DeploymentStatusBadge } from '../../lib/deployment-status.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { AppLink } from './app-link.tsx';
import { DeleteProject } from './delete-project.tsx';
import { DeployButton } from './deploy-button.tsx';
import { StopButton } from './stop-button.tsx';

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
