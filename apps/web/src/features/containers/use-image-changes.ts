import { trpc } from '../../lib/trpc.ts';
import { useChanges } from '../../lib/use-changes.ts';

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

/** The queries about an image and what images use of the storage: a push or deletion makes all of them old. */
export function useStorageQueries() {
  const { containers, billing } = trpc.useUtils();
  const { get, storage, repositories, repository, untagged, retention } = containers;
  return [get, storage, repositories, repository, untagged, retention, billing.limits];
}
