import type { Project } from '@nephos/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useState } from 'react';
import { hasSource, isUnfinished } from '../../lib/deployment-status.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
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
          <DeploymentRow
            key={deployment.id}
            deployment={deployment}
            live={deployment.id === project.liveDeploymentId}
            now={now}
          />
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
  return (
    <EmptyState
      icon={History}
      title="No deployments yet"
      description={
        hasSource(project)
          ? `Deploy builds ${project.repositoryUrl ? `the newest commit of ${project.branch}` : 'the template'} and starts it.`
          : 'Set the repository in Settings, then Deploy builds it and starts it.'
      }
    />
  );
}
