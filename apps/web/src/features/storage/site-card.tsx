import type { BucketDetail, BucketSite } from '@nephos/contracts';
import { Plus } from 'lucide-react';
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
import { SiteDomain } from './site-domain.tsx';

const SiteDialog = lateDialog({ fields: 2 }, () =>
  import('./site-dialog.tsx').then(({ SiteDialog }) => SiteDialog),
);
const SiteDomainDialog = lateDialog({ fields: 1 }, () =>
  import('./site-domain-dialog.tsx').then(({ SiteDomainDialog }) => SiteDomainDialog),
);

/** Whether a bucket is a web site, and where. */
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
  const [asking, setAsking] = useState<'site' | 'domain'>();
  const { index, notFound, domains, target, addresses, servesHttps } = site;
  const isOn = index !== null;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="min-w-0 grow basis-60 break-words text-muted text-sm">
          {!isOn && (isPublic ? 'Off.' : 'Off. Make the bucket public first.')}
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
          {(isPublic || isOn) && (
            <Button size="sm" {...need} onClick={() => setAsking('site')}>
              {isOn ? 'Edit' : 'Turn on'}
            </Button>
          )}
          {isOn && <TurnOff id={id} />}
        </div>
      </div>
      {isOn && !isPublic && (
        <Notice tone="warning" title="The bucket is private, so the site shows nothing." />
      )}
      {domains.length > 0 && (
        <ul aria-label="Domains" className="flex flex-col gap-4 border-line border-t pt-4">
          {domains.map((domain) => (
            <li key={domain.id}>
              <SiteDomain {...{ bucketId: id, domain, target, addresses, servesHttps }} />
            </li>
          ))}
        </ul>
      )}
      {isOn && (
        <Button size="sm" className="self-start" {...need} onClick={() => setAsking('domain')}>
          <Plus aria-hidden="true" />
          Add domain
        </Button>
      )}
      {asking === 'site' && <SiteDialog {...{ id, index, notFound }} onClose={() => setAsking(undefined)} />}
      {asking === 'domain' && <SiteDomainDialog id={id} onClose={() => setAsking(undefined)} />}
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
