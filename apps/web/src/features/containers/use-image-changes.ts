import { useChanges } from '../../lib/use-changes.ts';
import { trpc } from '../../trpc.ts';
import { useStorageQueries } from './use-storage-queries.ts';

/** Keeps the images on the page, and what they use, true while clients push, pull and delete. */
export function useImageChanges(): void {
  const { list } = trpc.useUtils().containers;
  const storage = useStorageQueries();
  useChanges(trpc.containers.changes, undefined, {
    refetch: () => {
      for (const query of [list, ...storage]) void query.invalidate();
    },
  });
}
