import { useChanges } from '../../lib/use-changes.ts';
import { trpc } from '../../trpc.ts';

/** Keeps the images on the page true while clients push, pull and delete. */
export function useImageChanges(): void {
  const utils = trpc.useUtils();
  useChanges(trpc.containers.changes, undefined, {
    refetch: () => {
      void utils.containers.list.invalidate();
      void utils.containers.get.invalidate();
    },
  });
}
