import { createFileRoute } from '@tanstack/react-router';
import { KeysPage } from '../../features/storage/keys-page.tsx';
import { creationSearch } from '../../lib/creation.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/storage/keys')({
  validateSearch: creationSearch,
  pendingComponent: () => (
    <PageSkeleton
      label="Loading access keys"
      heading={HEADINGS.storage}
      action="w-32"
      bars={['mb-6 h-10', 'h-32']}
    />
  ),
  component: KeysPage,
});
