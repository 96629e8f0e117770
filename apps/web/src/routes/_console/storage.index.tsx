import { createFileRoute } from '@tanstack/react-router';
import { StoragePage } from '../../features/storage/storage-page.tsx';
import { firstFiles, storageSearch } from '../../features/storage/storage-search.ts';
import { loadFirstPage } from '../../lib/first-page.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/storage/')({
  validateSearch: storageSearch,
  loader: ({ context: { utils }, location }) =>
    loadFirstPage(utils.storage.list, firstFiles(location.search)),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading files"
      heading={HEADINGS.storage}
      action="w-32"
      cards={{ height: 'h-48', icon: true, lines: 2, button: 'w-28' }}
    />
  ),
  component: StoragePage,
});
