import type { Deployment, Project } from '@nephos/contracts';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { hasSource, isUnfinished, STEP_LABELS } from '../../lib/deployment-status.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useDeploymentChanges } from '../../lib/use-deployment-changes.ts';
import { BackLink } from '../../shell/back-link.tsx';
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

const TABS = [
  { to: '/projects/$projectId', label: 'Deployments', exact: true },
  { to: '/projects/$projectId/log', label: 'Log', exact: false },
  { to: '/projects/$projectId/environment', label: 'Environment', exact: false },
  { to: '/projects/$projectId/settings', label: 'Settings', exact: false },
] as const;

/** The pages of a project. Links and not tabs, so that each has an address of its own. */
function ProjectTabs({ projectId }: { projectId: string }) {
  return (
    <nav aria-label="Project" className="flex overflow-x-auto sm:gap-1 border-line border-b">
      {TABS.map(({ to, label, exact }) => (
        <Link
          key={to}
          to={to}
          params={{ projectId }}
          activeOptions={{ exact, includeSearch: false }}
          className="inline-flex h-10 shrink-0 items-center border-transparent border-b-2 px-2 font-medium text-muted transition-colors sm:px-3 hover:text-fg focus-visible:-outline-offset-2 aria-[current=page]:border-accent-text aria-[current=page]:text-fg"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

interface ProjectNoticeProps {
  project: Project;
  /** Absent while nothing was ever deployed. */
  latest: Deployment | undefined;
}

/** What a person has to know about a project before anything else: that its last deployment failed, or what is missing. */
function ProjectNotice({ project, latest }: ProjectNoticeProps) {
  if (latest?.status === 'failed') return <Failure project={project} failed={latest} />;
  if (!hasSource(project)) return <NoRepository projectId={project.id} />;
  return null;
}

function Failure({ project, failed }: { project: Project; failed: Deployment }) {
  return (
    <Notice
      tone="danger"
      className="mb-6"
      title={
        failed.step
          ? `The deployment failed while ${STEP_LABELS[failed.step].toLowerCase()}`
          : 'The deployment failed'
      }
      action={
        <Link
          to="/projects/$projectId/log"
          params={{ projectId: project.id }}
          search={{ deployment: failed.id }}
          className={buttonStyles({ size: 'sm' })}
        >
          View log
        </Link>
      }
    >
      {failed.error && <p className="text-fg">{failed.error}</p>}
      {project.liveDeploymentId && <p>The previous version is still serving.</p>}
    </Notice>
  );
}

function NoRepository({ projectId }: { projectId: string }) {
  return (
    <Notice
      className="mb-6"
      title="This project has no repository yet"
      action={
        <Link
          to="/projects/$projectId/settings"
          params={{ projectId }}
          className={buttonStyles({ size: 'sm', variant: 'primary' })}
        >
          Open Settings
        </Link>
      }
    >
      Set its repository in Settings, then Deploy builds and starts it.
    </Notice>
  );
}
