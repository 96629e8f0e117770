import { createFileRoute } from '@tanstack/react-router';
import { TablesPage } from '../../features/database-contents/tables-page.tsx';
import { tablesSearch } from '../../features/database-contents/tables-search.ts';

export const Route = createFileRoute('/_console/databases/$databaseId/tables')({
  validateSearch: tablesSearch,
  component: TablesPage,
});
