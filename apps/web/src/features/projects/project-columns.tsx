import type { Project } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { GitBranch } from 'lucide-react';
import { DeploymentStatusBadge, remarkOn } from '../../lib/deployment-status.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { RowTitle } from '../../ui/row-title.tsx';
import { AppLink } from './app-link.tsx';
import { branchLabel, Remark, Repository } from './project-card.tsx';

/** Everything that a project's card says and offers. */
export const PROJECT_COLUMNS: readonly Column<Project>[] = [
  {
    heading: 'Name',
    card: 'title',
    cell: ({ id, name, description, framework, branch }) => (
      <RowTitle
        title={name}
        detail={description || 'No description'}
        facts={`${framework} · ${branchLabel(branch)}`}
      >
        <Link
          to="/projects/$projectId"
          params={{ projectId: id }}
          className="rounded-sm underline-offset-4 hover:underline"
        >
          {name}
        </Link>
      </RowTitle>
    ),
  },
  {
    heading: 'Status',
    className: 'w-52',
    card: 'aside',
    cell: ({ state }) => (
      <div className="flex flex-wrap items-center gap-2">
        <DeploymentStatusBadge status={state} />
        <Badge className="h-5! px-2!">Active</Badge>
      </div>
    ),
  },
  {
    heading: 'URL',
    card: 'line',
    cell: ({ liveDeploymentId, url }) => liveDeploymentId && <AppLink url={url} />,
  },
  {
    heading: 'Source',
    className: 'hidden w-48 @5xl/page:table-cell',
    card: 'none',
    cell: ({ framework, branch, template, repositoryUrl }) => (
      <div className="flex items-center gap-2">
        <Badge>{framework}</Badge>
        {template && !repositoryUrl ? (
          <Badge>Template</Badge>
        ) : (
          <span
            title={branchLabel(branch)}
            className="inline-flex min-w-0 items-center gap-1.5 text-muted text-sm"
          >
            <GitBranch aria-hidden="true" className="size-3.5 shrink-0" />
            <span className="truncate">{branchLabel(branch)}</span>
          </span>
        )}
      </div>
    ),
  },
  {
    heading: 'Actions',
    hideHeading: true,
    className: 'w-48 pl-0! text-right',
    card: 'end',
    cell: (project) => (
      <div className="in-[li]:mt-1">
        <Repository project={project} />
      </div>
    ),
  },
];

/** What the state of a project's app does not say, below its row. */
export function useRemarkBelow({ state, latestDeployment }: Project) {
  const remark = remarkOn(state, latestDeployment);
  return (
    remark && (
      <div className="in-[td]:px-2">
        <Remark>{remark}</Remark>
      </div>
    )
  );
}
