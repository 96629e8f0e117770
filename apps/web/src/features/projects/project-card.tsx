import type { Project } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { ExternalLink, FolderGit2, GitBranch, Settings } from 'lucide-react';
import { DeploymentStatusBadge } from '../../lib/deployment-status.tsx';
import { Badge } from '../../ui/badge.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { AppLink } from './app-link.tsx';

export function ProjectCard({ project }: { project: Project }) {
  const params = { projectId: project.id };
  return (
    <Card className="flex h-full min-h-56 flex-col">
      <CardHeader
        title={
          <Link
            to="/projects/$projectId"
            params={params}
            className="rounded-sm underline-offset-4 hover:underline"
          >
            {project.name}
          </Link>
        }
        description={<span className="line-clamp-2">{project.description || 'No description'}</span>}
        aside={<Badge tone="success">Active</Badge>}
      />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        {project.latestDeployment && <DeploymentStatusBadge status={project.latestDeployment.status} />}
        <Badge>{project.framework}</Badge>
        {project.template && !project.repositoryUrl && <Badge>Template</Badge>}
        <span className="inline-flex min-w-0 items-center gap-1.5 text-muted text-sm">
          <GitBranch aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="truncate">{project.branch}</span>
        </span>
      </div>
      {project.liveDeploymentId && <AppLink url={project.url} className="mt-3 self-start" />}
      <div className="mt-auto flex flex-wrap gap-2 pt-5">
        {project.repositoryUrl ? (
          <a
            href={project.repositoryUrl}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonStyles({ size: 'sm' })}
          >
            <FolderGit2 aria-hidden="true" />
            View Repository
            <ExternalLink aria-hidden="true" className="text-faint" />
          </a>
        ) : (
          <Link to="/projects/$projectId/settings" params={params} className={buttonStyles({ size: 'sm' })}>
            <Settings aria-hidden="true" />
            Add a repository
          </Link>
        )}
      </div>
    </Card>
  );
}
