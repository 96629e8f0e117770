import type { Deployment } from '@nephos/contracts';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { DeploymentStatusBadge, versionOf } from '../../lib/deployment-status.tsx';
import { formatAgo } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { LogPanel } from './log-panel.tsx';

const route = getRouteApi('/_console/projects/$projectId/log');

export function LogPage() {
  const { projectId } = route.useParams();
  const { deployment: chosen } = route.useSearch();
  const [deployments] = trpc.deployments.list.useSuspenseQuery({ id: projectId });
  const navigate = useNavigate();
  const selected = deployments.find(({ id }) => id === chosen) ?? deployments[0];

  if (!selected) return <NoLog />;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Select
          aria-label="Deployment"
          className="max-w-md"
          value={selected.id}
          onValueChange={(id) =>
            void navigate({
              to: '/projects/$projectId/log',
              params: { projectId },
              search: { deployment: id },
              replace: true,
            })
          }
          options={deployments.map((deployment) => ({ value: deployment.id, label: titleOf(deployment) }))}
        />
        <DeploymentStatusBadge status={selected.status} />
      </div>
      {selected !== deployments[0] && selected.status === 'failed' && selected.error && (
        <p className="break-words text-danger">{selected.error}</p>
      )}
      <LogPanel key={selected.id} deploymentId={selected.id} />
    </div>
  );
}

function NoLog() {
  return (
    <EmptyState
      icon={ScrollText}
      title="No log yet"
      description="Build and app output appears here once you deploy."
    />
  );
}

function titleOf(deployment: Deployment): string {
  const { short, title } = versionOf(deployment);
  return [short, title, formatAgo(deployment.createdAt)].filter(Boolean).join(' · ');
}
