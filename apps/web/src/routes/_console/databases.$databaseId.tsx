import { createFileRoute } from '@tanstack/react-router';
import { DatabasePage } from '../../features/databases/database-page.tsx';
import { DatabaseSkeleton } from '../../features/databases/database-skeleton.tsx';

export const Route = createFileRoute('/_console/databases/$databaseId')({
  loader: ({ context: { utils }, params: { databaseId } }) =>
    utils.databases.get.ensureData({ id: databaseId }),
  pendingComponent: DatabaseSkeleton,
  component: DatabasePage,
});
