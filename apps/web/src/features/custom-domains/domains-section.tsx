import type { CustomDomains } from '@nephos/contracts';
import { MAX_CUSTOM_DOMAINS } from '@nephos/contracts/constants';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { DomainEntry } from './domain-entry.tsx';
import type { Place } from './place.ts';

const DomainDialog = lateDialog({ fields: 1 }, () =>
  import('./domain-dialog.tsx').then(({ DomainDialog }) => DomainDialog),
);

interface DomainsSectionProps extends CustomDomains {
  place: Place;
  /** Why none can be added. */
  refusal?: string | undefined;
}

const DESCRIPTIONS = {
  project:
    'Names of your own, like www.example.com, at which the app answers besides its own address. Changes take effect immediately.',
  bucket:
    'Names of your own, like www.example.com, at which the site answers. Changes take effect immediately.',
} as const;

/** The host names of one's own at which a project's app or a bucket's site answers. */
export function DomainsSection({ place, domains, refusal, ...where }: DomainsSectionProps) {
  const [adding, setAdding] = useState(false);
  const need = useNeed('build');
  const isFull = domains.length >= MAX_CUSTOM_DOMAINS;
  const primary = domains.find(({ isPrimary }) => isPrimary);
  return (
    <section aria-label="Domains">
      <Card className="flex flex-col gap-4">
        <CardHeader title="Domains" description={DESCRIPTIONS[place.kind]} />
        {domains.length === 0 ? (
          <p className="text-muted text-sm">No domains</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {domains.map((domain) => (
              <li key={domain.id} className="py-5 first:pt-0 last:pb-0">
                <DomainEntry {...{ place, domain, ...where }} primary={primary} />
              </li>
            ))}
          </ul>
        )}
        <Button
          className="self-start"
          reason={isFull ? `A ${place.kind} can have up to ${MAX_CUSTOM_DOMAINS} domains.` : refusal}
          {...need}
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden="true" />
          Add domain
        </Button>
      </Card>
      {adding && <DomainDialog place={place} onClose={() => setAdding(false)} />}
    </section>
  );
}
