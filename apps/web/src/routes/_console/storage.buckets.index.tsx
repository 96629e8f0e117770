import { createFileRoute } from '@tanstack/react-router';
import { BucketsPage } from '../../features/storage/buckets-page.tsx';
import { creationSearch } from '../../lib/creation.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/storage/buckets/')({
  validateSearch: creationSearch,
  loader: ({ context: { utils } }) => utils.buckets.list.ensureData(),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading buckets"
      heading={HEADINGS.storage}
      action="w-32"
      bars={['mb-6 h-10', 'h-32']}
    />
  ),
  component: BucketsPage,
});
