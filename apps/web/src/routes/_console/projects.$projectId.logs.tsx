import { createFileRoute } from '@tanstack/react-router';
import { LogsPage } from '../../features/observability/logs-page.tsx';
import { logsSearch } from '../../features/observability/logs-search.ts';

export const Route = createFileRoute('/_console/projects/$projectId/logs')({
  validateSearch: logsSearch,
  component: LogsPage,
});
