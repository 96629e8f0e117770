import { createFileRoute } from '@tanstack/react-router';
import { LogPage } from '../../features/deployments/log-page.tsx';

/** Its deployments are loaded by the route around it; the newest is shown where the address names none. */
export const Route = createFileRoute('/_console/projects/$projectId/log')({
  validateSearch: ({ deployment }: Record<string, unknown>): { deployment?: string } =>
    typeof deployment === 'string' ? { deployment } : {},
  component: LogPage,
});
