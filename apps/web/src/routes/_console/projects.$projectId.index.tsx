import { createFileRoute } from '@tanstack/react-router';
import { DeploymentsPage } from '../../features/deployments/deployments-page.tsx';

/** Its data is loaded by the route around it. */
export const Route = createFileRoute('/_console/projects/$projectId/')({ component: DeploymentsPage });
