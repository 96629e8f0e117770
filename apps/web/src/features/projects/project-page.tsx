import { getRouteApi, Outlet } from '@tanstack/react-router';
import { isUnfinished } from '../../lib/deployment-status.tsx';
import { useDeploymentChanges } from '../../lib/use-deployment-changes.ts';
import { trpc } from '../../trpc.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { ProjectHeader } from './project-header.tsx';
import { ProjectNotice } from './project-notice.tsx';
import { ProjectTabs } from './project-tabs.tsx';

const route = getRouteApi('/_console/projects/$projectId');

/** What all pages of a project share: its name, state, actions and tabs. */
export function ProjectPage() {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const [deployments] = trpc.deployments.list.useSuspenseQuery({ id: projectId });
  useDeploymentChanges(projectId, { always: deployments.some(isUnfinished) });

  return (
    <>
      <BackLink to="/deployments">Deployments</BackLink>
      <ProjectHeader project={project} />
      <ProjectNotice project={project} latest={deployments[0]} />
      <ProjectTabs projectId={projectId} />
      <div className="pt-6">
        <Outlet />
      </div>
    </>
  );
}
