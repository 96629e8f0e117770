import type { Deployment, Project } from '@nephos/contracts';
import { getRouteApi, Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import {
  type AppStanding,
  hasCrashed,
  hasSource,
  isUnfinished,
  STEP_LABELS,
  STILL_RUNNING,
  standingOf,
} from '../../lib/deployment-status.tsx';
import { RunRefusalNotice } from '../../lib/run-refusal.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useDeploymentChanges } from '../../lib/use-deployment-changes.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { PAGE_TAB, PageTabs } from '../../shell/page-tabs.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Notice } from '../../ui/notice.tsx';
import { ProjectHeader } from './project-header.tsx';

const route = getRouteApi('/_console/projects/$projectId');

/** What all pages of a project share: its name, state, actions and tabs. */
export function ProjectPage() {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const [deployments] = trpc.deployments.list.useSuspenseQuery({ id: projectId });
  useDeploymentChanges(projectId, { always: deployments.some(isUnfinished) });

  const standing = standingOf(deployments);
  return (
    <>
      <BackLink to="/deployments">Deployments</BackLink>
      <ProjectHeader project={project} standing={standing} />
      <RunRefusalNotice projectId={projectId} />
      <ProjectNotice project={project} standing={standing} />
      <ProjectTabs projectId={projectId} />
      <div className="pt-6">
        <Outlet />
      </div>
    </>
  );
}

const TABS = [
  { to: '/projects/$projectId', label: 'Overview', exact: true },
  { to: '/projects/$projectId/logs', label: 'Logs', exact: false },
  { to: '/projects/$projectId/metrics', label: 'Metrics', exact: false },
  { to: '/projects/$projectId/processes', label: 'Processes', exact: false },
  { to: '/projects/$projectId/jobs', label: 'Jobs', exact: false },
  { to: '/projects/$projectId/environment', label: 'Environment', exact: false },
  { to: '/projects/$projectId/settings', label: 'Settings', exact: false },
] as const;

function ProjectTabs({ projectId }: { projectId: string }) {
  return (
    <PageTabs label="Project">
      {TABS.map(({ to, label, exact }) => (
        <Link
          key={to}
          to={to}
          params={{ projectId }}
          activeOptions={{ exact, includeSearch: false }}
          className={PAGE_TAB}
        >
          {label}
        </Link>
      ))}
    </PageTabs>
  );
}

interface ProjectNoticeProps {
  project: Project;
  standing: AppStanding;
}

/** What a person has to know about a project before anything else: that its last deployment failed, or what is missing. */
function ProjectNotice({ project, standing: { latest, live } }: ProjectNoticeProps) {
  if (latest?.status === 'failed') return <Failure failed={latest} isRunning={live !== undefined} />;
  // Without any deployment, the page itself leads to the repository.
  if (latest && !hasSource(project)) return <NoRepository projectId={project.id} />;
  return null;
}

function titleOf(failed: Deployment, isRunning: boolean): string {
  if (isRunning) return STILL_RUNNING;
  if (hasCrashed(failed)) return 'The app crashed';
  return failed.step
    ? `Last deploy failed while ${STEP_LABELS[failed.step].toLowerCase()}`
    : 'Last deploy failed';
}

function Failure({ failed, isRunning }: { failed: Deployment; isRunning: boolean }) {
  const onLogTab = useMatchRoute()({ to: '/projects/$projectId/log' }) !== false;
  return (
    <Notice
      tone="danger"
      className="mb-6"
      title={titleOf(failed, isRunning)}
      action={
        !onLogTab && (
          <Link
            to="/projects/$projectId/log"
            params={{ projectId: failed.projectId }}
            search={{ deployment: failed.id }}
            className={buttonStyles({ size: 'sm' })}
          >
            View log
          </Link>
        )
      }
    >
      {failed.error}
    </Notice>
  );
}

function NoRepository({ projectId }: { projectId: string }) {
  return (
    <Notice
      className="mb-6"
      title="No repository connected"
      action={
        <Link
          to="/projects/$projectId/settings"
          params={{ projectId }}
          className={buttonStyles({ size: 'sm', variant: 'primary' })}
        >
          Add a repository
        </Link>
      }
    >
      Add one to deploy new versions.
    </Notice>
  );
}
