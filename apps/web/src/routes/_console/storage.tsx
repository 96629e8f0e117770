import { FILE_SORTS } from '@nephos/contracts/constants';
import { createFileRoute } from '@tanstack/react-router';
import { StoragePage } from '../../features/storage/storage-page.tsx';
import { loadFirstPage } from '../../lib/first-page.ts';
import { firstOf, listPageSearch, listSearch } from '../../lib/list-view.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/storage')({
  validateSearch: listPageSearch(FILE_SORTS),
  loader: ({ context: { utils }, location }) =>
    loadFirstPage(utils.storage.list, firstOf(listSearch(FILE_SORTS, location.search))),
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
