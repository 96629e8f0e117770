import { createFileRoute } from '@tanstack/react-router';
import { ContainersPage } from '../../features/containers/containers-page.tsx';
import { creationSearch } from '../../lib/creation.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/containers/')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.containers.list.fetchInfinite(FIRST_PAGE, { ...KEYSET_PAGES, pages: 1 }),
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
