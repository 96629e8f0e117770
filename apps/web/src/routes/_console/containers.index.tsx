import { IMAGE_SORTS } from '@nephos/contracts/constants';
import { createFileRoute } from '@tanstack/react-router';
import { ContainersPage } from '../../features/containers/containers-page.tsx';
import { loadFirstPage } from '../../lib/first-page.ts';
import { firstOf, listPageSearch, listSearch } from '../../lib/list-view.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/containers/')({
  validateSearch: listPageSearch(IMAGE_SORTS),
  loader: ({ context: { utils }, location }) =>
    Promise.all([
      loadFirstPage(utils.containers.list, firstOf(listSearch(IMAGE_SORTS, location.search))),
      utils.containers.registry.ensureData(),
      // Never fails: without it the page only says less.
      utils.containers.storage.prefetch(),
    ]),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading container images"
      heading={HEADINGS.containers}
      action="w-72"
      cards={{ height: 'h-48', lines: 2, button: 'w-36' }}
    />
  ),
  component: ContainersPage,
});
