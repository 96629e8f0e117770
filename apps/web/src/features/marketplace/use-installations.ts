import type { Installation } from '@nephos/contracts';
import { useEffect, useRef } from 'react';
import { useChanges } from '../../lib/use-changes.ts';
import { trpc } from '../../trpc.ts';
import { toast } from '../../ui/toast.ts';
import { useRefreshResources } from './use-refresh-resources.ts';

function isUnderWay({ status }: Installation): boolean {
  return status === 'installing';
}

export interface Installations {
  installations: Installation[];
  /** Tells that the person has started this one: its end is announced, however soon it comes. */
  started: (installation: Installation) => void;
}

/** What the person has installed, kept true while it progresses; each end is announced once. */
export function useInstallations(): Installations {
  const [installations] = trpc.marketplace.installations.useSuspenseQuery();
  const utils = trpc.useUtils();
  const { started } = useAnnouncements(installations);

  function refetchAll() {
    void utils.marketplace.installations.invalidate();
    void utils.marketplace.list.invalidate();
  }

  function changed(itemId: string, installation: Installation | null) {
    const before = utils.marketplace.installations.getData()?.find((row) => row.itemId === itemId);
    utils.marketplace.installations.setData(undefined, (rows) => {
      const others = rows?.filter((row) => row.itemId !== itemId) ?? [];
      return installation ? [installation, ...others] : others;
    });
    // With how often it is installed; and the list once more, for what was fetched a moment too early.
    if (before?.status !== installation?.status) refetchAll();
  }

  // At first it tells of every installation.
  useChanges(trpc.marketplace.changes, undefined, {
    always: installations.some(isUnderWay),
    refetch: refetchAll,
    onChange: ({ data: { itemId, installation } }) => changed(itemId, installation),
  });

  return { installations, started };
}

/** Says how each installation that was under way on this page ended. */
function useAnnouncements(installations: readonly Installation[]): Pick<Installations, 'started'> {
  const awaited = useRef(new Set<string>());
  const refreshResources = useRefreshResources();

  useEffect(() => {
    for (const installation of installations) {
      const { id, status, error } = installation;
      if (isUnderWay(installation)) {
        awaited.current.add(id);
      } else if (awaited.current.delete(id)) {
        if (status === 'installed') toast({ title: 'Item installed successfully' });
        else toast({ title: 'Error', description: error || INSTALL_FAILURE, variant: 'destructive' });
        refreshResources();
      }
    }
  }, [installations, refreshResources]);

  return { started: ({ id }) => void awaited.current.add(id) };
}

/** Where the server says nothing, specification §8. */
export const INSTALL_FAILURE = 'Failed to install item';
