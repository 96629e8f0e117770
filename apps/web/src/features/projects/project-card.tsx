import type { Project } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { ExternalLink, FolderGit2, GitBranch, Settings, TriangleAlert } from 'lucide-react';
import { DeploymentStatusBadge, remarkOn, STILL_RUNNING } from '../../lib/deployment-status.tsx';
import { formatAgo } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { AppLink } from './app-link.tsx';
import { CardActivity } from './card-activity.tsx';

/** A project's branch, as it is shown. */
export function branchLabel(branch: string): string {
  return branch || 'Default branch';
}

/** A project in the list: the state of its app, what it is, and the way in. */
export function ProjectCard({ project }: { project: Project }) {
  const remark = remarkOn(project.state, project.latestDeployment);
  return (
    <Card className="flex h-full min-h-56 flex-col">
      <CardHeader
        title={
          <Link
            to="/projects/$projectId"
            params={{ projectId: project.id }}
            className="rounded-sm underline-offset-4 hover:underline"
          >
            {project.name}
          </Link>
        }
        description={<span className="line-clamp-2">{project.description || 'No description'}</span>}
        aside={<DeploymentStatusBadge status={project.state} />}
      />
      {remark && (
        <div className="mt-2">
          <Remark>{remark}</Remark>
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Badge className="h-5! px-2!">Active</Badge>
        <Badge className="h-5! px-2!">{project.framework}</Badge>
        {project.template && !project.repositoryUrl && <Badge className="h-5! px-2!">Template</Badge>}
        <span className="inline-flex min-w-0 items-center gap-1.5 text-muted text-sm">
          <GitBranch aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="truncate">{branchLabel(project.branch)}</span>
        </span>
      </div>
      {project.latestDeployment && (
        <p className="mt-2 text-faint text-sm">
          Last deployed {formatAgo(project.latestDeployment.createdAt)}
        </p>
      )}
      {project.liveDeploymentId && <AppLink url={project.url} className="mt-3 self-start" />}
      <CardActivity projectId={project.id} />
      <div className="mt-auto flex flex-wrap gap-2 pt-5">
        <Repository project={project} />
      </div>
    </Card>
  );
}

/** What the state of the app does not say. */
export function Remark({ children }: { children: string }) {
  return (
    <p className="flex items-start gap-1.5 text-muted text-sm">
      {children === STILL_RUNNING && (
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      )}
      {children}
    </p>
  );
}

/** The way to the repository, or to where it is set. */
export function Repository({ project: { id, repositoryUrl } }: { project: Project }) {
  if (repositoryUrl) {
    return (
      <a
        href={repositoryUrl}
        target="_blank"
        rel="noopener noreferrer"
        className={buttonStyles({ size: 'sm' })}
      >
        <FolderGit2 aria-hidden="true" />
        View Repository
        <ExternalLink aria-hidden="true" className="text-faint" />
      </a>
    );
  }
  return (
    <Link
      to="/projects/$projectId/settings"
      params={{ projectId: id }}
      className={buttonStyles({ size: 'sm' })}
    >
      <Settings aria-hidden="true" />
      Add a repository
    </Link>
  );
}
