import type { CustomDomain, CustomDomains } from '@nephos/contracts';
import { RefreshCw, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { AppLink } from '../../lib/app-link.tsx';
import { useAction } from '../../lib/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toast.ts';
import { CertificateFacts } from './certificate-facts.tsx';
import { DomainRecords } from './domain-records.tsx';
import { type OfDomain, type Place, useDomainCalls } from './place.ts';
import { RemoveDomainDialog } from './remove-domain-dialog.tsx';

interface DomainEntryProps extends Pick<CustomDomains, 'target' | 'addresses' | 'served' | 'servesHttps'> {
  place: Place;
  domain: CustomDomain;
  /** The primary one of the same place. */
  primary: CustomDomain | undefined;
}

/** A domain, whether it works, what is to be done where it does not, and what can be changed of it. */
export function DomainEntry({ place, domain, primary, servesHttps, ...where }: DomainEntryProps) {
  const { domain: name, status, isPrimary, reason, pointsHere } = domain;
  const isActive = status === 'active';
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {isActive ? (
          <AppLink url={domain.url} className="font-medium" />
        ) : (
          <span className="min-w-0 break-all font-medium text-sm">{name}</span>
        )}
        <Badge tone={isActive ? 'success' : 'warning'}>{isActive ? 'Active' : 'Pending'}</Badge>
        {isPrimary && <Badge>Primary</Badge>}
        <DomainActions place={place} domain={domain} />
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
      {(reason !== '' || pointsHere === false) && <DomainRecords place={place} domain={domain} {...where} />}
      {(servesHttps || domain.certificate) && <CertificateFacts {...{ place, domain, servesHttps }} />}
      {!isPrimary && primary !== undefined && (
        <Redirect {...{ place, domain: name, redirects: domain.redirects, primary }} />
      )}
    </div>
  );
}

interface ActionsProps {
  place: Place;
  domain: CustomDomain;
}

function DomainActions({ place, domain: { domain, isPrimary } }: ActionsProps) {
  const [removing, setRemoving] = useState(false);
  const { refresh, ...calls } = useDomainCalls(place);
  const check = useAction(calls.check.useMutation(), {
    failure: 'Failed to check the domain',
    serverSpeaks: true,
    refresh,
    onDone: ({ reason }) => toast({ title: reason === '' ? 'Domain verified' : 'Not verified yet' }),
  });
  const change = useAction(calls.update.useMutation(), {
    success: 'Primary domain changed',
    failure: 'Failed to change the domain',
    serverSpeaks: true,
    refresh,
  });
  const input = { id: place.id, domain };
  return (
    <div className="ml-auto flex items-center gap-1">
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Check again: ${domain}`}
        {...check.button}
        onClick={() => check.run(input)}
      >
        {!check.pending && <RefreshCw aria-hidden="true" />}
        Check again
      </Button>
      {!isPrimary && (
        <IconButton
          label={`Make ${domain} primary`}
          title="Make primary"
          size="sm"
          disabled={change.pending}
          onClick={() => change.run({ ...input, isPrimary: true })}
        >
          <Star />
        </IconButton>
      )}
      <IconButton label={`Remove ${domain}`} title="Remove" size="sm" onClick={() => setRemoving(true)}>
        <Trash2 />
      </IconButton>
      {removing && <RemoveDomainDialog {...{ place, domain }} onClose={() => setRemoving(false)} />}
    </div>
  );
}

interface RedirectProps extends OfDomain {
  redirects: boolean;
  primary: CustomDomain;
}

function Redirect({ place, domain, redirects, primary }: RedirectProps) {
  const { refresh, update } = useDomainCalls(place);
  const change = useAction(update.useMutation(), {
    success: redirects ? 'Redirect turned off' : 'Redirect turned on',
    failure: 'Failed to change the domain',
    serverSpeaks: true,
    refresh,
  });
  const label = `Redirect to ${primary.domain}${primary.status === 'active' ? '' : ' once it is active'}`;
  return (
    <Field label={label} className="flex-row-reverse items-center justify-end gap-3">
      <Switch
        checked={redirects}
        disabled={change.pending}
        onCheckedChange={(on) => change.run({ id: place.id, domain, redirects: on })}
      />
    </Field>
  );
}
