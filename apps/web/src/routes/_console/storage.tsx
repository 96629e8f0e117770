import { createFileRoute } from '@tanstack/react-router';
import { StoragePage } from '../../features/storage/storage-page.tsx';
import { StorageSkeleton } from '../../features/storage/storage-skeleton.tsx';
import { creationSearch } from '../../lib/creation.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';

export const Route = createFileRoute('/_console/storage')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) =>
    utils.storage.list.fetchInfinite(FIRST_PAGE, { ...KEYSET_PAGES, pages: 1 }),
  pendingComponent: StorageSkeleton,
  component: StoragePage,
});
