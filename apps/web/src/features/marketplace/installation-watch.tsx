import type { Installation } from '@nephos/contracts';
import { useMatchRoute } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { toast } from '../../ui/toast.ts';
import {
  INSTALL_FAILURE,
  isUnderWay,
  isUpgrading,
  UPGRADE_FAILURE,
  useInstallations,
  useRefreshResources,
  WITH_ATTEMPTS,
} from './use-installations.ts';

/** Announces each installation's end wherever in the console its owner is by then; on every page, without looks. */
export function InstallationWatch() {
  const onMarketplace = Boolean(useMatchRoute()({ to: '/marketplace' }));
  // Only what the marketplace has fetched: whoever was not there has begun nothing here.
  const { data: installations = [] } = trpc.marketplace.installations.useQuery(WITH_ATTEMPTS, {
    enabled: false,
  });
  useAnnouncements(installations);
  // The marketplace follows its installations itself.
  if (onMarketplace || !installations.some(isUnderWay)) return null;
  return (
    <Suspense>
      <Follower />
    </Suspense>
  );
}

function Follower() {
  useInstallations();
  return null;
}

/** Says how each installation that was under way ended, and has what it made be fetched. */
function useAnnouncements(installations: readonly Installation[]): void {
  const awaited = useRef(new Map<string, Installation>());
  const refreshResources = useRefreshResources();

  useEffect(() => {
    for (const installation of installations) {
      const before = awaited.current.get(installation.id);
      if (isUnderWay(installation)) {
        awaited.current.set(installation.id, installation);
      } else if (before) {
        awaited.current.delete(installation.id);
        if (isUpgrading(before)) announceUpgrade(before, installation);
        else announceInstallation(installation);
        refreshResources();
      }
    }
  }, [installations, refreshResources]);
}

function announceInstallation({ status, error }: Installation): void {
  if (status === 'installed') toast({ title: 'Item installed successfully' });
  else toast({ title: 'Error', description: error || INSTALL_FAILURE, variant: 'destructive' });
}

function announceUpgrade(before: Installation, { version, upgrade }: Installation): void {
  if (version === before.upgrade?.version) toast({ title: `Upgraded to ${version}` });
  else if (upgrade?.status === 'cancelled') toast({ title: 'Upgrade cancelled' });
  else toast({ title: 'Error', description: upgrade?.error ?? UPGRADE_FAILURE, variant: 'destructive' });
}
