import { createFileRoute } from '@tanstack/react-router';
import { LateProjectAlerts } from '../../features/alerts/late-project-alerts.tsx';
import { DeploymentsPage } from '../../features/deployments/deployments-page.tsx';
import { CrashNotice, EventsSection } from '../../features/observability/events-section.tsx';
import { PreviewsSection } from '../../features/projects/previews-section.tsx';
import { hasCrashed } from '../../lib/deployment-status.tsx';
import { trpc } from '../../lib/trpc.ts';

/** Its data is loaded by the route around it; previews, events and alerts come by themselves. */
export const Route = createFileRoute('/_console/projects/$projectId/')({ component: Overview });

function Overview() {
  const { projectId } = Route.useParams();
  const [[latest]] = trpc.deployments.list.useSuspenseQuery({ id: projectId });
  return (
    <>
      <CrashNotice projectId={projectId} isTold={latest !== undefined && hasCrashed(latest)} />
      <DeploymentsPage />
      <PreviewsSection projectId={projectId} />
      <EventsSection projectId={projectId} />
      <LateProjectAlerts projectId={projectId} />
    </>
  );
}
