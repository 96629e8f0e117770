import { createFileRoute } from '@tanstack/react-router';
import { FILE_PAGES, FIRST_FILES } from '../../features/storage/file-pages.ts';
import { StoragePage } from '../../features/storage/storage-page.tsx';
import { StorageSkeleton } from '../../features/storage/storage-skeleton.tsx';
import { creationSearch } from '../../lib/creation.ts';

export const Route = createFileRoute('/_console/storage')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) =>
    utils.storage.list.fetchInfinite(FIRST_FILES, { ...FILE_PAGES, pages: 1 }),
  pendingComponent: StorageSkeleton,
  component: StoragePage,
});
