import { PROJECT_SORTS } from '@nephos/contracts/constants';
import { Link } from '@tanstack/react-router';
import { Plus, Rocket } from 'lucide-react';
import { type Creation, useCreation } from '../../lib/creation.ts';
import { isUnfinished } from '../../lib/deployment-status.tsx';
import { LIST_PAGES } from '../../lib/keyset-pages.ts';
import { useListView } from '../../lib/list-view.ts';
import { ResourceList } from '../../lib/resource-list.tsx';
import { AllRefusedNotice } from '../../lib/run-refusal.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useDeploymentChanges } from '../../lib/use-deployment-changes.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ProjectCard } from './project-card.tsx';
import { PROJECT_COLUMNS, useRemarkBelow } from './project-columns.tsx';

const NewProjectDialog = lateDialog({ fields: 5 }, () =>
  import('./new-project-dialog.tsx').then(({ NewProjectDialog }) => NewProjectDialog),
);

/** Cards that follow their deployment live, at most: browsers allow few open streams to one server. */
const MAX_LIVE = 3;

export function ProjectsPage() {
  const view = useListView(PROJECT_SORTS);
  const list = trpc.projects.list.useInfiniteQuery(view.first, LIST_PAGES);
  const { creating, setCreating, opener } = useCreation();
  // The list itself tells how many there are as soon as it is fetched whole.
  const use = trpc.billing.limits.useQuery(undefined, {
    enabled: list.hasNextPage,
    refetchOnMount: 'always',
  });
  const moving = (list.data?.pages.flat() ?? []).filter(
    ({ latestDeployment }) => latestDeployment !== null && isUnfinished(latestDeployment),
  );
  return (
    <>
      <PageHeader
        {...HEADINGS.deployments}
        action={
          <>
            <Link to="/variable-groups" className={buttonStyles()}>
              Variable groups
            </Link>
            <Button
              variant="primary"
              onPointerEnter={NewProjectDialog.preload}
              onFocus={NewProjectDialog.preload}
              {...opener}
            >
              <Plus aria-hidden="true" />
              New Project
            </Button>
          </>
        }
      />
      <AllRefusedNotice />
      <ResourceList
        label="Projects"
        nouns={['project', 'projects']}
        list={list}
        view={view}
        updatedLabel="Last deployed"
        count={list.hasNextPage && view.words === undefined ? use.data?.projects.used : undefined}
        card={(project) => <ProjectCard project={project} />}
        columns={PROJECT_COLUMNS}
        useBelow={useRemarkBelow}
        empty={<NoProjects opener={opener} />}
      />
      {moving.slice(0, MAX_LIVE).map(({ id }) => (
        <LiveProject key={id} id={id} />
      ))}
      {creating && <NewProjectDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function NoProjects({ opener }: Pick<Creation, 'opener'>) {
  return (
    <EmptyState
      icon={Rocket}
      title="No projects yet"
      description="Connect a Git repository, or install a starter from the Marketplace. Nephos builds it, runs it and gives it a URL."
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" {...opener}>
            Create Your First Project
          </Button>
          <Link to="/marketplace" className={buttonStyles()}>
            Browse templates
          </Link>
        </div>
      }
    />
  );
}

/** Shows nothing: while it is mounted, the project's deployment is followed. */
function LiveProject({ id }: { id: string }) {
  useDeploymentChanges(id, { always: false });
  return null;
}
