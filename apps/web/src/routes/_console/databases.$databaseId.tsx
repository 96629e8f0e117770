import { createFileRoute } from '@tanstack/react-router';
import { DatabasePage } from '../../features/databases/database-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/databases/$databaseId')({
  loader: ({ context: { utils }, params: { databaseId } }) =>
    utils.databases.get.ensureData({ id: databaseId }),
  pendingComponent: () => (
    <PageSkeleton label="Loading the database" action="w-64" bars={['mb-6 h-96', 'h-48']} />
  ),
  component: DatabasePage,
});
