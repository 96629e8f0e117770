import type { Bucket } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StorageTabs } from './storage-tabs.tsx';

const NewBucketDialog = lateDialog({ fields: 2 }, () =>
  import('./new-bucket-dialog.tsx').then(({ NewBucketDialog }) => NewBucketDialog),
);

/** The workspace's buckets; the console's own is always among them. */
export function BucketsPage() {
  const [buckets] = trpc.buckets.list.useSuspenseQuery();
  const { creating, setCreating, opener } = useCreation();
  return (
    <>
      <PageHeader
        {...HEADINGS.storage}
        action={
          <Button variant="primary" {...opener}>
            <Plus aria-hidden="true" />
            New Bucket
          </Button>
        }
      />
      <StorageTabs />
      <ul aria-label="Buckets" className="divide-y divide-line rounded-xl border border-line bg-surface">
        {buckets.map((bucket) => (
          <BucketRow key={bucket.id} bucket={bucket} />
        ))}
      </ul>
      {creating && <NewBucketDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function BucketRow({ bucket: { id, name, isPublic, versioning, createdAt } }: { bucket: Bucket }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-4">
      <span className="flex min-w-0 items-center gap-2">
        <VisibilityIcon isPublic={isPublic} />
        <Link
          to="/storage/buckets/$bucketId"
          params={{ bucketId: id }}
          className="min-w-0 break-words font-medium hover:underline"
        >
          {name}
        </Link>
        {versioning === 'enabled' && <Badge>Versions</Badge>}
      </span>
      <span className="text-muted text-sm">Created {formatInstant(createdAt)}</span>
    </li>
  );
}
