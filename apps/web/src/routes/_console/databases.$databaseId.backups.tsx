import { createFileRoute } from '@tanstack/react-router';
import { BackupsPage } from '../../features/database-backups/backups-page.tsx';

export const Route = createFileRoute('/_console/databases/$databaseId/backups')({ component: BackupsPage });
