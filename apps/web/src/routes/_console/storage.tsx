import { createFileRoute } from '@tanstack/react-router';
import { StoragePage } from '../../features/storage/storage-page.tsx';
import { creationSearch } from '../../lib/creation.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/storage')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) =>
    utils.storage.list.fetchInfinite(FIRST_PAGE, { ...KEYSET_PAGES, pages: 1 }),
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
