import type { Project } from '@nephos/contracts';
import { shortImage, versionedName } from '@nephos/contracts/constants';
import { getRouteApi, Link } from '@tanstack/react-router';
import { History, Laptop } from 'lucide-react';
import { useState } from 'react';
import { hasSource, isUnfinished } from '../../lib/deployment-status.tsx';
import { PushCommands } from '../../lib/push-commands.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DeploymentRow } from './deployment-row.tsx';

/** Deployments shown before the rest is asked for. */
const FIRST = 20;
const SECOND = 1000;

const route = getRouteApi('/_console/projects/$projectId/');

export function DeploymentsPage() {
  const { projectId } = route.useParams();
  const [project] = trpc.projects.get.useSuspenseQuery({ id: projectId });
  const [deployments] = trpc.deployments.list.useSuspenseQuery({ id: projectId });
  const [all, setAll] = useState(false);
  const now = useNow(deployments.some(isUnfinished) ? SECOND : null);

  if (deployments.length === 0) return <NoDeployments project={project} />;
  const shown = all ? deployments : deployments.slice(0, FIRST);
  return (
    <>
      <ol
        aria-label="Deployments"
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {shown.map((deployment) => (
          <DeploymentRow key={deployment.id} deployment={deployment} now={now} />
        ))}
      </ol>
      {shown.length < deployments.length && (
        <div className="mt-4 flex justify-center">
          <Button onClick={() => setAll(true)}>Show all {deployments.length} deployments</Button>
        </div>
      )}
    </>
  );
}

function NoDeployments({ project }: { project: Project }) {
  if (!hasSource(project)) return <NoSource project={project} />;
  return <EmptyState icon={History} title="No deployments yet" description={whatDeployDoes(project)} />;
}

function whatDeployDoes({ repositoryUrl, pushed, image, recipe, branch }: Project): string {
  if (image) return `Deploy pulls ${shortImage(image)} and puts it online.`;
  const isElsewhere = !repositoryUrl && !pushed;
  if (isElsewhere && recipe) return `Deploy builds ${versionedName(recipe)} and puts it online.`;
  if (isElsewhere) return 'Deploy builds the template and puts it online.';
  return `Deploy builds the latest commit of ${branch || 'the default branch'} and puts it online.`;
}

/** The next step of a project that was made without anything to deploy. */
function NoSource({ project: { id: projectId, pushUrl } }: { project: Project }) {
  return (
    <EmptyState
      icon={Laptop}
      title="Deploy from your local computer"
      description="Push a Git branch to get this app online, or connect a repository on a Git host."
      action={
        <div className="flex min-w-0 max-w-full flex-col items-center gap-6">
          {pushUrl && <PushCommands url={pushUrl} />}
          <Link to="/projects/$projectId/settings" params={{ projectId }} className={buttonStyles()}>
            Add a repository
          </Link>
        </div>
      }
    />
  );
}
