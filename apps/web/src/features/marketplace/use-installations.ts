import type { Installation } from '@nephos/contracts';
import { useCallback } from 'react';
import { isUnfinished } from '../../lib/deployment-status.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';

/** The list that the console asks for: running and failed attempts are shown on their item's card. */
export const WITH_ATTEMPTS = { attempts: true } as const;

/** Whether an upgrade of it is on its way. */
export function isUpgrading({ upgrade }: Installation): boolean {
  return Boolean(upgrade?.status && isUnfinished({ status: upgrade.status }));
}

export function isUnderWay(installation: Installation): boolean {
  return installation.status === 'installing' || isUpgrading(installation);
}

/** What the person has installed, kept true while it progresses. */
export function useInstallations(): Installation[] {
  const [installations] = trpc.marketplace.installations.useSuspenseQuery(WITH_ATTEMPTS);
  const utils = trpc.useUtils();

  function refetchAll() {
    void utils.marketplace.installations.invalidate();
    void utils.marketplace.list.invalidate();
  }

  function changed(itemId: string, installation: Installation | null) {
    const before = utils.marketplace.installations
      .getData(WITH_ATTEMPTS)
      ?.find((row) => row.itemId === itemId);
    utils.marketplace.installations.setData(WITH_ATTEMPTS, (rows) => {
      const others = rows?.filter((row) => row.itemId !== itemId) ?? [];
      return installation ? [installation, ...others] : others;
    });
    // With how often it is installed; and the list once more, for what was fetched a moment too early.
    if (before?.status !== installation?.status || before?.version !== installation?.version) refetchAll();
  }

  // At first it tells of every installation.
  useChanges(trpc.marketplace.changes, undefined, {
    always: installations.some(isUnderWay),
    refetch: refetchAll,
    onChange: ({ data: { itemId, installation } }) => changed(itemId, installation),
  });

  return installations;
}

/** Makes every screen fetch again what an installation makes or takes away. */
export function useRefreshResources(): () => void {
  const utils = trpc.useUtils();
  return useCallback(() => {
    for (const domain of [
      utils.projects,
      utils.databases,
      utils.dns,
      utils.containers,
      utils.storage,
      utils.mobileApps,
    ]) {
      void domain.invalidate();
    }
  }, [utils]);
}

/** Said of an installation that failed, where the server does not say why. */
export const INSTALL_FAILURE = 'Failed to install item';
/** The same of an upgrade. */
export const UPGRADE_FAILURE = 'Failed to upgrade item';
