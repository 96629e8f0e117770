import type { ManagedDatabase } from '@nephos/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { getMutationKey } from '@trpc/react-query';
import { useEffect, useRef } from 'react';
import { withRow } from '../../lib/newest-first.ts';
import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';

/**
 * Keeps what is cached of the person's databases true while they are made, fail and go; in a hidden tab, too, while
 * one is being made.
 */
export function useDatabaseChanges(shown: readonly ManagedDatabase[]): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  useSwapEnd(shown);

  function refetchAll() {
    void utils.databases.list.invalidate();
    void utils.databases.get.invalidate();
  }

  function changed(database: ManagedDatabase) {
    utils.databases.list.setData(undefined, (before) => before && withRow(before, database));
    utils.databases.get.setData({ id: database.id }, (before) => before && database);
  }

  function gone(id: string) {
    utils.databases.list.setData(undefined, (before) => before?.filter((database) => database.id !== id));
    // Whoever deletes it here is led away from its page by that; elsewhere, the page has to find it gone.
    const deletedHere = queryClient.isMutating({ mutationKey: getMutationKey(trpc.databases.remove) }) > 0;
    if (!deletedHere) void utils.databases.get.reset({ id });
  }

  useChanges(trpc.databases.changes, undefined, {
    always: shown.some(({ status, work }) => status === 'creating' || work !== null),
    refetch: refetchAll,
    onChange: ({ data: { id, database } }) => (database ? changed(database) : gone(id)),
  });
}

/** Once a swap is over, what is cached of both databases is the other's. */
function useSwapEnd(shown: readonly ManagedDatabase[]): void {
  const utils = trpc.useUtils();
  const swapping = useRef(new Set<string>());
  useEffect(() => {
    const hasEnded = shown.some(({ id, work }) => work !== 'swapping' && swapping.current.has(id));
    swapping.current = new Set(shown.filter(({ work }) => work === 'swapping').map(({ id }) => id));
    if (!hasEnded) return;
    void utils.databases.usage.invalidate();
    void utils.databaseBackups.invalidate();
    void utils.databaseContents.invalidate();
    void utils.databaseExtensions.invalidate();
    void utils.databaseFigures.invalidate();
    void utils.databaseUsers.invalidate();
  }, [shown, utils]);
}
