import { createFileRoute } from '@tanstack/react-router';
import { ContainersPage } from '../../features/containers/containers-page.tsx';
import { ContainersSkeleton } from '../../features/containers/containers-skeleton.tsx';
import { creationSearch } from '../../lib/creation.ts';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';

export const Route = createFileRoute('/_console/containers/')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) =>
    Promise.all([
      utils.containers.list.fetchInfinite(FIRST_PAGE, { ...KEYSET_PAGES, pages: 1 }),
      utils.containers.registry.ensureData(),
      // Never fails: without it the page only says less.
      utils.containers.storage.prefetch(),
    ]),
  pendingComponent: ContainersSkeleton,
  component: ContainersPage,
});
