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
import { CopyFact } from '../../ui/copy-fact.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BucketRulesCards } from './bucket-rules.tsx';
import { SettingsCard } from './bucket-settings.tsx';
import { ClientCommands } from './client-commands.tsx';
import { KEY_STAND_IN } from './s3-commands.ts';
import { SiteCard } from './site-card.tsx';

/** One bucket: what is in it, how clients reach it, and who else may. */
export function BucketPage({ domains }: { domains: ReactNode }) {
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
              <CopyFact
                term="Public URLs start with"
                value={publicUrl}
                label="Copy the start of public URLs"
              />
            )}
          </dl>
          <ClientCommands endpoint={endpoint} region={region} bucket={name} keys={KEY_STAND_IN} />
        </Card>
        <SettingsCard bucket={bucket} />
        <BucketRulesCards bucket={bucket} />
        {name !== UPLOADS_BUCKET && <SiteCard bucket={bucket} />}
        {domains}
      </div>
    </>
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
