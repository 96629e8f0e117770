import type { Installation, MarketplaceItem, Upgrade } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { useNeed } from '../../lib/use-refusal.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { isUpgrading } from './use-installations.ts';

const UpgradeDialog = lateDialog({ fields: 0 }, () =>
  import('./upgrade-dialog.tsx').then(({ UpgradeDialog }) => UpgradeDialog),
);

interface UpgradeButtonProps {
  item: MarketplaceItem;
  installation: Installation;
}

/** Offers the newer version of an app, where there is one that is not on its way yet. */
export function UpgradeButton({ item, installation }: UpgradeButtonProps) {
  const need = useNeed('build');
  const [asking, setAsking] = useState(false);
  const { upgrade } = installation;
  if (!upgrade || isUpgrading(installation)) return null;
  const wasTried = upgrade.status !== null;
  return (
    <>
      <Button
        size="sm"
        aria-label={wasTried ? `Try again to upgrade ${item.name}` : `Upgrade ${item.name}`}
        {...need}
        onClick={() => setAsking(true)}
      >
        <ArrowUp aria-hidden="true" />
        {wasTried ? 'Try again' : 'Upgrade'}
      </Button>
      {asking && <UpgradeDialog item={item} upgrade={upgrade} onClose={() => setAsking(false)} />}
    </>
  );
}

const DOING: Partial<Record<NonNullable<Upgrade['status']>, string>> = {
  queued: 'waiting to start',
  building: 'building',
  deploying: 'starting',
};

/** How far an upgrade has come, or why the last one failed, with the way to its log. */
export function UpgradeState({ installation }: Pick<UpgradeButtonProps, 'installation'>) {
  const { upgrade, version } = installation;
  if (!upgrade?.status) return null;
  if (isUpgrading(installation)) {
    return (
      <p role="status" className="mt-3 flex gap-2 text-sm">
        <Spinner className="mt-0.5 shrink-0 text-accent-text" />
        <span>
          Upgrading to {upgrade.version}: {DOING[upgrade.status]}. <UpgradeLog installation={installation} />
        </span>
      </p>
    );
  }
  return (
    <div className="mt-3 rounded-lg border border-danger/50 bg-danger-soft px-3 py-2 text-sm">
      <p className="font-medium">
        {upgrade.status === 'cancelled' ? 'The upgrade was cancelled' : 'The upgrade failed'}
      </p>
      <p className="mt-0.5 break-words text-muted">
        {upgrade.error} {version} is still installed. <UpgradeLog installation={installation} />
      </p>
    </div>
  );
}

function UpgradeLog({ installation: { receipt, upgrade } }: Pick<UpgradeButtonProps, 'installation'>) {
  const projectId = receipt.find(({ kind }) => kind === 'project')?.id;
  if (!projectId || !upgrade?.deploymentId) return null;
  return (
    <Link
      to="/projects/$projectId/log"
      params={{ projectId }}
      search={{ deployment: upgrade.deploymentId }}
      className="rounded-sm font-medium text-fg underline underline-offset-4"
    >
      View log
    </Link>
  );
}
