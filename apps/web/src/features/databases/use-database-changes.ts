import type { ManagedDatabase } from '@nephos/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { getMutationKey } from '@trpc/react-query';
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
