import type { ManagedDatabase } from '@nephos/contracts';
import { skipToken, useQueryClient } from '@tanstack/react-query';
import { getMutationKey } from '@trpc/react-query';
import { withRow } from '../../lib/newest-first.ts';
import { useDocumentVisible } from '../../lib/use-document-visible.ts';
import { useStreamRetry } from '../../lib/use-stream-retry.ts';
import { trpc } from '../../trpc.ts';

/**
 * Keeps what is cached of the person's databases true while they are made, fail and go. A hidden tab keeps listening
 * only while one is being made, since browsers allow few open streams to one server.
 */
export function useDatabaseChanges(shown: readonly ManagedDatabase[]): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const visible = useDocumentVisible();
  const creating = shown.some(({ status }) => status === 'creating');

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

  const { status, reset } = trpc.databases.changes.useSubscription(
    visible || creating ? undefined : skipToken,
    {
      // What happened before this connection, or between two, was not sent through it.
      onStarted: refetchAll,
      // A stream cannot say why it was refused; the same question, asked plainly, can.
      onError: refetchAll,
      onData: ({ data: { id, database } }) => (database ? changed(database) : gone(id)),
    },
  );
  useStreamRetry({ status, reset });
}
