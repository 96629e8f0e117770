import type { BucketDetail } from '@nephos/contracts';
import { UPLOADS_BUCKET } from '@nephos/contracts/constants';
import type { ReactNode } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Who else can read a bucket, and whether it keeps what its files were. */
export function SettingsCard({ bucket }: { bucket: BucketDetail }) {
  return (
    <Card>
      <CardHeader title="Settings" description="Who can read the files, and what is kept of them." />
      <ul className="mt-2 divide-y divide-line">
        <PublicRow bucket={bucket} />
        <VersionsRow bucket={bucket} />
      </ul>
    </Card>
  );
}

function useUpdate(success: string) {
  const utils = trpc.useUtils();
  return useAction(trpc.buckets.update.useMutation(), {
    success,
    failure: 'Failed to change the bucket',
    serverSpeaks: true,
    refresh: [utils.buckets.get, utils.buckets.list],
  });
}

function PublicRow({ bucket: { id, name, isPublic } }: { bucket: BucketDetail }) {
  const update = useUpdate(isPublic ? 'Bucket is private' : 'Bucket is public');
  const own =
    name === UPLOADS_BUCKET &&
    `${UPLOADS_BUCKET} stays private. Make single files public, or use another bucket.`;
  return (
    <SettingRow
      title={isPublic ? 'Public' : 'Private'}
      note={
        isPublic
          ? 'Anybody can read its files by their addresses. Nobody else can list them.'
          : 'Only this workspace and its access keys can read its files.'
      }
    >
      <ConfirmDialog
        title={isPublic ? `Make ${name} private?` : `Make ${name} public?`}
        description={
          isPublic
            ? 'Addresses of its files stop working for everyone else at once.'
            : 'Anybody who knows the address of a file can read it.'
        }
        label={isPublic ? 'Make private' : 'Make public'}
        action={update}
        onConfirm={(close) => update.run({ id, isPublic: !isPublic }, close)}
        trigger={(open) => (
          <Button size="sm" {...update.button} {...(own && { reason: own })} onClick={open}>
            {isPublic ? 'Make private' : 'Make public'}
          </Button>
        )}
      />
    </SettingRow>
  );
}

function VersionsRow({ bucket: { id, versioning } }: { bucket: BucketDetail }) {
  const keeps = versioning === 'enabled';
  const update = useUpdate(keeps ? 'No further versions are kept' : 'Versions are kept');
  return (
    <SettingRow
      title={keeps ? 'Versions are kept' : 'Versions are not kept'}
      note={
        keeps
          ? 'What is replaced or deleted stays as a former version, and counts in your storage.'
          : versioning === 'suspended'
            ? 'Those from before stay until you delete them.'
            : 'What an S3 client replaces or deletes is gone.'
      }
    >
      <Button size="sm" {...update.button} onClick={() => update.run({ id, versioning: !keeps })}>
        {keeps ? 'Stop keeping versions' : 'Keep versions'}
      </Button>
    </SettingRow>
  );
}

function SettingRow({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 last:pb-0">
      <div className="min-w-0 grow basis-60">
        <p className="font-medium">{title}</p>
        <p className="text-muted text-sm">{note}</p>
      </div>
      {children}
    </li>
  );
}
