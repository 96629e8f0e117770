import type { BucketSite, CustomDomain } from '@nephos/contracts';
import { ExternalLink, RefreshCw, Trash2 } from 'lucide-react';
import { formatDate } from '../../lib/format.ts';
import { RecordsToSet } from '../../lib/records-to-set.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';

interface SiteDomainProps extends Pick<BucketSite, 'target' | 'addresses' | 'servesHttps'> {
  bucketId: string;
  domain: CustomDomain;
}

/** A domain of a site, whether it works, and what is to be done where it does not. */
export function SiteDomain({ bucketId, domain: own, target, addresses, servesHttps }: SiteDomainProps) {
  const { domain, status, url, reason, pointsHere } = own;
  const isActive = status === 'active';
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {isActive ? (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-w-0 items-center gap-1.5 rounded-sm font-medium text-accent-text text-sm underline-offset-4 hover:underline"
          >
            <span className="break-all">{domain}</span>
            <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
          </a>
        ) : (
          <span className="min-w-0 break-all font-medium text-sm">{domain}</span>
        )}
        <Badge tone={isActive ? 'success' : 'warning'}>{isActive ? 'Active' : 'Pending'}</Badge>
        <div className="ml-auto flex items-center gap-1">
          <CheckAgain id={bucketId} domain={domain} />
          <RemoveDomain id={bucketId} domain={domain} />
        </div>
      </div>
      {reason && (
        <Notice
          tone="warning"
          title={isActive ? "Ownership can't be verified any more" : 'Verify that you own it'}
        >
          {reason}
        </Notice>
      )}
      {!reason && pointsHere === false && (
        <Notice title="Not pointing here yet">
          This domain doesn't lead to this server. If a CDN or a proxy is in front of it, that is fine.
        </Notice>
      )}
      {(reason !== '' || pointsHere === false) && (
        <RecordsToSet domain={own} target={target} addresses={addresses} thing="site" />
      )}
      {isActive && servesHttps && <p className="break-words text-muted text-sm">{certificateOf(own)}</p>}
    </div>
  );
}

function certificateOf({ certificate, issuance }: Pick<CustomDomain, 'certificate' | 'issuance'>): string {
  if (certificate) {
    const { issuer, isExpired, endsAt } = certificate;
    return `Certificate by ${issuer}, ${isExpired ? 'expired' : 'valid until'} ${formatDate(endsAt)}.`;
  }
  if (issuance?.error === '') return 'Getting a certificate. This usually takes less than a minute.';
  return issuance
    ? `No certificate yet. ${issuance.error}`
    : 'No certificate: the site answers here by HTTP only.';
}

interface OfDomain {
  /** The bucket. */
  id: string;
  domain: string;
}

function CheckAgain({ id, domain }: OfDomain) {
  const utils = trpc.useUtils();
  const check = useAction(trpc.bucketSites.checkDomain.useMutation(), {
    failure: 'Failed to check the domain',
    serverSpeaks: true,
    refresh: [utils.bucketSites.get],
    onDone: ({ reason }) => toast({ title: reason === '' ? 'Domain verified' : 'Not verified yet' }),
  });
  return (
    <Button
      size="sm"
      variant="ghost"
      aria-label={`Check again: ${domain}`}
      {...check.button}
      onClick={() => check.run({ id, domain })}
    >
      {!check.pending && <RefreshCw aria-hidden="true" />}
      Check again
    </Button>
  );
}

function RemoveDomain({ id, domain }: OfDomain) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.bucketSites.removeDomain.useMutation(), {
    success: 'Domain removed',
    failure: 'Failed to remove the domain',
    serverSpeaks: true,
    refresh: [utils.bucketSites.get],
  });
  return (
    <ConfirmDialog
      title={`Remove ${domain}?`}
      description="The site no longer answers at this domain."
      label="Remove domain"
      action={remove}
      onConfirm={(close) => remove.run({ id, domain }, close)}
      trigger={(open) => (
        <IconButton label={`Remove ${domain}`} title="Remove" size="sm" onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
