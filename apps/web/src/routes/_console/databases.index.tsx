import { createFileRoute } from '@tanstack/react-router';
import { DatabasesPage } from '../../features/databases/databases-page.tsx';
import { DatabasesSkeleton } from '../../features/databases/databases-skeleton.tsx';
import { creationSearch } from '../../lib/creation.ts';

export const Route = createFileRoute('/_console/databases/')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([utils.databases.list.ensureData(), utils.databases.engines.ensureData()]),
  pendingComponent: DatabasesSkeleton,
  component: DatabasesPage,
});
