import type { BucketDetail, BucketSite } from '@nephos/contracts';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

const SiteDialog = lateDialog({ fields: 2 }, () =>
  import('./site-dialog.tsx').then(({ SiteDialog }) => SiteDialog),
);
/** Whether a bucket is a web site. */
export function SiteCard({ bucket }: { bucket: BucketDetail }) {
  const site = trpc.bucketSites.get.useQuery({ id: bucket.id });
  return (
    <Card className="min-w-0">
      <CardHeader title="Web site" description="Serve the files of this bucket at a domain of your own." />
      <div className="mt-4">
        {site.data && <Site bucket={bucket} site={site.data} />}
        {site.error && <LoadFailure query={site} failure="Failed to load the web site" />}
        {site.isPending && (
          <SkeletonGroup label="Loading the web site">
            <Skeleton className="h-16" />
          </SkeletonGroup>
        )}
      </div>
    </Card>
  );
}

interface SiteProps {
  bucket: BucketDetail;
  site: BucketSite;
}

function Site({ bucket: { id, isPublic }, site }: SiteProps) {
  const need = useNeed('build');
  const [asking, setAsking] = useState(false);
  const { index, notFound } = site;
  const isOn = index !== null;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="min-w-0 grow basis-60 break-words text-muted text-sm">
          {!isOn && 'Off.'}
          {isOn && (
            <>
              A folder shows its <code className="text-fg">{index}</code>.{' '}
              {notFound === null ? (
                'A missing page shows a plain one.'
              ) : (
                <>
                  A missing page shows <code className="text-fg">{notFound}</code>.
                </>
              )}
            </>
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            reason={isPublic || isOn ? undefined : 'A site is for anybody: make the bucket public first.'}
            {...need}
            onClick={() => setAsking(true)}
          >
            {isOn ? 'Edit' : 'Turn on'}
          </Button>
          {isOn && <TurnOff id={id} />}
        </div>
      </div>
      {isOn && !isPublic && (
        <Notice tone="warning" title="The bucket is private, so the site shows nothing." />
      )}
      {asking && <SiteDialog {...{ id, index, notFound }} onClose={() => setAsking(false)} />}
    </div>
  );
}

function TurnOff({ id }: { id: string }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.bucketSites.remove.useMutation(), {
    success: 'Web site turned off',
    failure: 'Failed to turn the web site off',
    serverSpeaks: true,
    refresh: [utils.bucketSites.get],
  });
  return (
    <ConfirmDialog
      title="Turn the web site off?"
      description="Its domains stay, and show that nothing is there. Files stay."
      label="Turn off"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <Button size="sm" onClick={open}>
          Turn off
        </Button>
      )}
    />
  );
}
