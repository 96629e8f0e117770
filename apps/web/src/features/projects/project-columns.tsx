import type { Project } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { AppLink } from '../../lib/app-link.tsx';
import { DeploymentStatusBadge, remarkOn } from '../../lib/deployment-status.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-rows.tsx';
import { RowTitle } from '../../ui/row-title.tsx';
import { isOfTemplate, kindLabel, Remark, Repository, SourceLabel, sourceLabel } from './project-card.tsx';

/** Everything that a project's card says and offers. */
export const PROJECT_COLUMNS: readonly Column<Project>[] = [
  {
    heading: 'Name',
    card: 'title',
    cell: (project) => (
      <RowTitle
        title={project.name}
        detail={project.description || 'No description'}
        facts={`${kindLabel(project)} · ${sourceLabel(project)}`}
      >
        <Link
          to="/projects/$projectId"
          params={{ projectId: project.id }}
          className="rounded-sm underline-offset-4 hover:underline"
        >
          {project.name}
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
    cell: (project) => (
      <div className="flex items-center gap-2">
        <Badge>{kindLabel(project)}</Badge>
        {isOfTemplate(project) ? <Badge>Template</Badge> : <SourceLabel project={project} />}
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
