import type { CustomDomains, Project } from '@nephos/contracts';
import { MAX_CUSTOM_DOMAINS } from '@nephos/contracts/constants';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DomainCard } from './domain-card.tsx';

const DomainDialog = lateDialog({ fields: 1 }, () =>
  import('./domain-dialog.tsx').then(({ DomainDialog }) => DomainDialog),
);

interface DomainsSectionProps extends CustomDomains {
  project: Project;
}

/** The host names of one's own at which a project's app answers. */
export function DomainsSection({ project, domains, ...where }: DomainsSectionProps) {
  const [adding, setAdding] = useState(false);
  const primary = domains.find(({ isPrimary }) => isPrimary);
  const add = (
    <Button onClick={() => setAdding(true)} disabled={domains.length >= MAX_CUSTOM_DOMAINS}>
      <Plus aria-hidden="true" />
      Add domain
    </Button>
  );
  return (
    <section aria-label="Domains" className="flex flex-col gap-4">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="font-semibold text-lg">Domains</h2>
          <p className="mt-1 text-muted text-sm">
            The app answers at these names besides its own address. Changes take effect immediately.
          </p>
        </div>
        {domains.length > 0 && add}
      </header>
      {domains.length === 0 ? (
        <EmptyState
          icon={Globe}
          title="No domains"
          description="Let visitors reach the app at a name of your own, like www.example.com."
          action={add}
        />
      ) : (
        <ul className="flex flex-col gap-4">
          {domains.map((domain) => (
            <li key={domain.id}>
              <DomainCard {...{ project, domain, ...where }} primary={primary?.domain ?? ''} />
            </li>
          ))}
        </ul>
      )}
      {adding && <DomainDialog projectId={project.id} onClose={() => setAdding(false)} />}
    </section>
  );
}
