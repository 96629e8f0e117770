import { createFileRoute } from '@tanstack/react-router';
import { FiguresPage } from '../../features/database-figures/figures-page.tsx';
import { metricsSearch } from '../../features/observability/metrics-search.ts';

export const Route = createFileRoute('/_console/databases/$databaseId/figures')({
  validateSearch: metricsSearch,
  component: FiguresPage,
});
