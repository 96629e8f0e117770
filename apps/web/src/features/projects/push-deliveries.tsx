import type { DeliveryResult, PushDelivery } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import type { Column } from '../../ui/data-rows.tsx';

/** What the push hook was told of, once there is something. */
export function PushDeliveries({ projectId }: { projectId: string }) {
  const [deliveries] = trpc.pushHooks.deliveries.useSuspenseQuery({ id: projectId });
  if (deliveries.length === 0) return null;
  return <DataList label="Deliveries" columns={columnsOf(projectId)} rows={deliveries} empty={null} />;
}

const RESULTS: Record<DeliveryResult, { label: string; tone: BadgeTone }> = {
  deployed: { label: 'Deployed', tone: 'success' },
  ignored: { label: 'Ignored', tone: 'neutral' },
  refused: { label: 'Refused', tone: 'danger' },
};

function columnsOf(projectId: string): readonly Column<PushDelivery>[] {
  return [
    {
      heading: 'Event',
      card: 'title',
      cell: ({ sender, event }) => <span className="font-medium">{`${sender || 'curl'}: ${event}`}</span>,
    },
    {
      heading: 'Commit',
      cell: ({ branch, commit }) => (
        <span className="break-all font-mono text-sm">
          {[branch, commit.slice(0, 7)].filter(Boolean).join(' · ')}
        </span>
      ),
    },
    {
      heading: 'Result',
      card: 'line',
      cell: (delivery) => <Result projectId={projectId} delivery={delivery} />,
    },
    {
      heading: 'Received',
      className: 'whitespace-nowrap',
      card: 'aside',
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={formatInstant(createdAt)} className="text-muted">
          {formatAgo(createdAt)}
        </time>
      ),
    },
  ];
}

function Result({ projectId, delivery }: { projectId: string; delivery: PushDelivery }) {
  const { result, reason, deploymentId } = delivery;
  // A preview's log is its own project's.
  const deployed = delivery.projectId ?? projectId;
  const { label, tone } = RESULTS[result];
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone={tone}>{label}</Badge>
      {reason && <span className="text-muted text-sm">{reason}</span>}
      {deploymentId && (
        <Link
          to="/projects/$projectId/log"
          params={{ projectId: deployed }}
          search={{ deployment: deploymentId }}
          className="rounded-sm text-sm underline underline-offset-4"
        >
          Build log
        </Link>
      )}
    </span>
  );
}
