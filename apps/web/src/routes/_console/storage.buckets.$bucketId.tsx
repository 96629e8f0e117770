import { createFileRoute } from '@tanstack/react-router';
import { LateActivity } from '../../features/activity/late-activity.tsx';
import { BucketDomains } from '../../features/custom-domains/domains.tsx';
import { BucketPage } from '../../features/storage/bucket-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/storage/buckets/$bucketId')({
  loader: ({ context: { utils }, params: { bucketId } }) => utils.buckets.get.ensureData({ id: bucketId }),
  pendingComponent: () => (
    <PageSkeleton label="Loading the bucket" action="w-32" bars={['mb-6 h-40', 'h-48']} />
  ),
  component: Page,
});

function Page() {
  const { bucketId } = Route.useParams();
  return (
    <>
      <BucketPage domains={<BucketDomains bucketId={bucketId} />} />
      <LateActivity id={bucketId} />
    </>
  );
}
