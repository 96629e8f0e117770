import { createFileRoute } from '@tanstack/react-router';
import { SqlPage } from '../../features/database-contents/sql-page.tsx';

export const Route = createFileRoute('/_console/databases/$databaseId/sql')({ component: SqlPage });
