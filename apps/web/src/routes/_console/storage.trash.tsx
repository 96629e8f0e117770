import { createFileRoute } from '@tanstack/react-router';
import { TrashPage } from '../../features/storage/trash-page.tsx';
import { FIRST_PAGE, KEYSET_PAGES } from '../../lib/keyset-pages.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/storage/trash')({
  loader: ({ context: { utils } }) =>
    utils.storageTrash.list.fetchInfinite(FIRST_PAGE, { ...KEYSET_PAGES, pages: 1 }),
  pendingComponent: () => (
    <PageSkeleton label="Loading the trash" heading={HEADINGS.storage} bars={['mb-6 h-10', 'h-32']} />
  ),
  component: TrashPage,
});
