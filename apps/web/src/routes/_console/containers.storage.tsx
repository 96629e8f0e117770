import { createFileRoute } from '@tanstack/react-router';
import { StoragePage } from '../../features/containers/storage-page.tsx';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/containers/storage')({
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.containers.repositories.fetchInfinite(FIRST_PAGE, { ...KEYSET_PAGES, pages: 1 }),
      utils.containers.storage.ensureData(),
      utils.billing.limits.ensureData(),
    ]),
  pendingComponent: () => <PageSkeleton label="Loading the storage of images" bars={['mb-6 h-24', 'h-32']} />,
  component: StoragePage,
});
