import type { Project } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { AppLink } from '../../lib/app-link.tsx';
import {
  type AppStanding,
  DeploymentStatusBadge,
  IN_PROGRESS,
  isUnfinished,
} from '../../lib/deployment-status.tsx';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import { AppActions } from './app-actions.tsx';
import { DeployButton } from './deploy-button.tsx';
import { appOf, SourceLabel } from './project-card.tsx';

const DeleteProjectDialog = lateDialog({ fields: 1 }, () =>
  import('./delete-project-dialog.tsx').then(({ DeleteProjectDialog }) => DeleteProjectDialog),
);

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

/** The way out of a project. */
function DeleteProject({ project }: { project: Project }) {
  const need = useNeed('build');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="ghost" {...need} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      {asking && <DeleteProjectDialog project={project} onClose={() => setAsking(false)} />}
    </>
  );
}
