import { createFileRoute } from '@tanstack/react-router';
import { DatabasesPage } from '../../features/databases/databases-page.tsx';
import { creationSearch } from '../../lib/creation.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/databases/')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([utils.databases.list.ensureData(), utils.databases.engines.ensureData()]),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading databases"
      heading={HEADINGS.databases}
      action="w-72"
      cards={{ height: 'h-56', badge: true, lines: 3, button: 'w-48' }}
    />
  ),
  component: DatabasesPage,
});
