import type { BucketDetail } from '@nephos/contracts';
import { UPLOADS_BUCKET } from '@nephos/contracts/constants';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatSize } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { BackLink } from '../../shell/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyFact } from '../../ui/copy-fact.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ClientCommands } from './client-commands.tsx';
import { KEY_STAND_IN } from './s3-commands.ts';
import { SiteCard } from './site-card.tsx';

/** One bucket: what is in it, how clients reach it, and who else may. */
export function BucketPage() {
  const { bucketId } = useParams({ from: '/_console/storage/buckets/$bucketId' });
  const [bucket] = trpc.buckets.get.useSuspenseQuery({ id: bucketId });
  const { name, isPublic, files, size, endpoint, region, publicUrl } = bucket;
  return (
    <>
      <BackLink to="/storage/buckets">Buckets</BackLink>
      <PageHeader
        title={name}
        description={`${files === 1 ? '1 file' : `${files.toLocaleString('en')} files`}, ${formatSize(size)} in all.`}
        action={
          <div className="flex gap-2">
            <Link
              to="/storage"
              search={name === UPLOADS_BUCKET ? {} : { bucket: bucketId }}
              className={buttonStyles({ variant: 'secondary' })}
            >
              Browse files
            </Link>
            {name !== UPLOADS_BUCKET && <DeleteBucket bucket={bucket} />}
          </div>
        }
      />
      <div className="flex flex-col gap-6">
        <Card className="min-w-0">
          <CardHeader
            title="Connect"
            description="Any S3 client works, with an access key of this workspace."
            aside={<VisibilityIcon isPublic={isPublic} />}
          />
          <dl className="my-4 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-2 text-muted text-sm">
            <CopyFact term="Endpoint" value={endpoint} label="Copy the endpoint" />
            <CopyFact term="Region" value={region} label="Copy the region" />
            <CopyFact term="Bucket" value={name} label="Copy the bucket's name" />
            {publicUrl && (
              <CopyFact term="Public address" value={publicUrl} label="Copy the public address" />
            )}
          </dl>
          <ClientCommands endpoint={endpoint} region={region} bucket={name} keys={KEY_STAND_IN} />
        </Card>
        {name !== UPLOADS_BUCKET && <SiteCard bucket={bucket} />}
        <SettingsCard bucket={bucket} />
      </div>
    </>
  );
}

function SettingsCard({ bucket }: { bucket: BucketDetail }) {
  return (
    <Card>
      <CardHeader title="Settings" />
      <ul className="mt-2 divide-y divide-line">
        {bucket.name !== UPLOADS_BUCKET && <PublicRow bucket={bucket} />}
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
          <Button size="sm" onClick={open}>
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
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 grow basis-60">
        <p className="font-medium">{title}</p>
        <p className="text-muted text-sm">{note}</p>
      </div>
      {children}
    </li>
  );
}

function DeleteBucket({ bucket: { id, name, files } }: { bucket: BucketDetail }) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const remove = useAction(trpc.buckets.remove.useMutation(), {
    success: 'Bucket deleted',
    failure: 'Failed to delete the bucket',
    serverSpeaks: true,
    refresh: [utils.buckets.list, utils.buckets.keys],
    leave: () => void navigate({ to: '/storage/buckets' }),
  });
  return (
    <DeleteDialog
      title={`Delete ${name}?`}
      description={
        files > 0
          ? 'It still has files. Delete them first: a bucket is deleted once it is empty.'
          : 'Access keys that open only this bucket are deleted with it. Somebody else can take its name.'
      }
      name={name}
      label="Delete bucket"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <Button variant="danger" onClick={open}>
          Delete
        </Button>
      )}
    />
  );
}
