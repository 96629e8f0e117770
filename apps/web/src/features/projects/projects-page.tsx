import type { Project } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { ExternalLink, FolderGit2, GitBranch, Plus, Rocket, Settings } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { DeploymentStatusBadge, isUnfinished } from '../../lib/deployment-status.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useDeploymentChanges } from '../../lib/use-deployment-changes.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AppLink } from './app-link.tsx';
import { NewProjectDialog } from './new-project-dialog.tsx';

/** Cards that follow their deployment live, at most: browsers allow few open streams to one server. */
const MAX_LIVE = 3;

export function ProjectsPage() {
  const [projects] = trpc.projects.list.useSuspenseQuery();
  const { creating, setCreating } = useCreation();
  const moving = projects.filter(
    ({ latestDeployment }) => latestDeployment !== null && isUnfinished(latestDeployment),
  );
  return (
    <>
      <PageHeader
        {...HEADINGS.deployments}
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" />
            New Project
          </Button>
        }
      />
      {projects.length === 0 ? (
        <NoProjects onCreate={() => setCreating(true)} />
      ) : (
        <ul aria-label="Projects" className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
          {projects.map((project) => (
            <li key={project.id} className="min-w-0">
              <ProjectCard project={project} />
            </li>
          ))}
        </ul>
      )}
      {moving.slice(0, MAX_LIVE).map(({ id }) => (
        <LiveProject key={id} id={id} />
      ))}
      {creating && <NewProjectDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function NoProjects({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={Rocket}
      title="No projects yet"
      description="A project is an app in a Git repository. Give its address, and it is built, started and reachable at a URL of its own."
      action={
        <Button variant="primary" onClick={onCreate}>
          Create Your First Project
        </Button>
      }
    />
  );
}

function ProjectCard({ project }: { project: Project }) {
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
        <Repository project={project} />
      </div>
    </Card>
  );
}

/** The way to the repository, or to where it is set. */
function Repository({ project: { id, repositoryUrl } }: { project: Project }) {
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

/** Shows nothing: while it is mounted, the project's deployment is followed. */
function LiveProject({ id }: { id: string }) {
  useDeploymentChanges(id, { always: false });
  return null;
}
