import { createFileRoute } from '@tanstack/react-router';
import { DeploymentsPage } from '../../features/deployments/deployments-page.tsx';
import { CrashNotice, EventsSection } from '../../features/observability/events-section.tsx';

/** Its data is loaded by the route around it; events come by themselves. */
export const Route = createFileRoute('/_console/projects/$projectId/')({ component: Overview });

function Overview() {
  const { projectId } = Route.useParams();
  return (
    <>
      <CrashNotice projectId={projectId} />
      <DeploymentsPage />
      <EventsSection projectId={projectId} />
    </>
  );
}
