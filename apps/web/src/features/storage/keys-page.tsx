import type { StorageKey } from '@nephos/contracts';
import { KeyRound, Plus } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { KEY_ACCESS } from './key-words.ts';
import { StorageTabs } from './storage-tabs.tsx';

const NewKeyDialog = lateDialog({ fields: 3 }, () =>
  import('./new-key-dialog.tsx').then(({ NewKeyDialog }) => NewKeyDialog),
);

/** With what S3 clients sign. */
export function KeysPage() {
  const { creating, setCreating, opener } = useCreation('secrets');
  return (
    <>
      <PageHeader
        {...HEADINGS.storage}
        action={
          <Button variant="primary" {...opener}>
            <Plus aria-hidden="true" />
            New Access Key
          </Button>
        }
      />
      <StorageTabs />
      <Keys opener={opener} />
      {creating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Keys({ opener }: { opener: { onClick: () => void; reason?: string } }) {
  const refusal = useRefusal('secrets');
  const keys = trpc.buckets.keys.useQuery(undefined, { enabled: refusal === undefined });
  if (refusal !== undefined) return <Notice title={refusal} />;
  if (keys.error) return <LoadFailure query={keys} failure="Failed to load the access keys" />;
  if (!keys.data) {
    return (
      <SkeletonGroup label="Loading access keys">
        <Skeleton className="h-32" />
      </SkeletonGroup>
    );
  }
  if (keys.data.length === 0) {
    return (
      <EmptyState
        icon={KeyRound}
        title="No access keys yet"
        description="S3 clients such as rclone and the AWS CLI sign with one."
        action={<Button {...opener}>Create your first access key</Button>}
      />
    );
  }
  return (
    <ul aria-label="Access keys" className="divide-y divide-line rounded-xl border border-line bg-surface">
      {keys.data.map((key) => (
        <KeyRow key={key.id} storageKey={key} />
      ))}
    </ul>
  );
}

function KeyRow({ storageKey }: { storageKey: StorageKey }) {
  const { id, name, access, bucket, madeBy, createdAt, lastUsedAt } = storageKey;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0 grow basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="break-all">{name}</span>
          <Badge>{KEY_ACCESS[access]}</Badge>
          <Badge className="max-w-full">
            <span className="truncate">{bucket ? `Only ${bucket.name}` : 'All buckets'}</span>
          </Badge>
        </p>
        <p className="mt-0.5 break-words text-faint text-sm">
          <code>{id}</code> · made by {madeBy.name} on {formatInstant(createdAt)} ·{' '}
          {lastUsedAt ? `last used ${formatAgo(lastUsedAt)}` : 'never used'}
        </p>
      </div>
      <DeleteKey storageKey={storageKey} />
    </li>
  );
}

function DeleteKey({ storageKey: { id, name } }: { storageKey: StorageKey }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.buckets.removeKey.useMutation(), {
    success: 'Access key deleted',
    failure: 'Failed to delete the access key',
    serverSpeaks: true,
    refresh: [utils.buckets.keys],
  });
  return (
    <DeleteDialog
      title={`Delete ${name}?`}
      description="Clients that sign with it are refused at once. Files stay."
      name={name}
      label="Delete access key"
      action={remove}
      onConfirm={(close) => remove.run({ keyId: id }, close)}
      trigger={(open) => (
        <Button size="sm" onClick={open}>
          Delete
        </Button>
      )}
    />
  );
}
