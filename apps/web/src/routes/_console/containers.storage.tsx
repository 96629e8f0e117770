import { createFileRoute } from '@tanstack/react-router';
import { StoragePage } from '../../features/containers/storage-page.tsx';
import { StorageSkeleton } from '../../features/containers/storage-skeleton.tsx';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';

export const Route = createFileRoute('/_console/containers/storage')({
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.containers.repositories.fetchInfinite(FIRST_PAGE, { ...KEYSET_PAGES, pages: 1 }),
      utils.containers.storage.ensureData(),
      utils.billing.limits.ensureData(),
    ]),
  pendingComponent: StorageSkeleton,
  component: StoragePage,
});
