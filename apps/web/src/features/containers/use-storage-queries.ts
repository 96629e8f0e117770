import { trpc } from '../../trpc.ts';

/** The queries about what images use of the storage: a push or deletion makes all of them old. */
export function useStorageQueries() {
  const { containers, billing } = trpc.useUtils();
  const { storage, repositories, repository, untagged } = containers;
  return [storage, repositories, repository, untagged, billing.limits];
}
