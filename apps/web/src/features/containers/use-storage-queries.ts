import { trpc } from '../../trpc.ts';

/** The queries about an image and what images use of the storage: a push or deletion makes all of them old. */
export function useStorageQueries() {
  const { containers, billing } = trpc.useUtils();
  const { get, storage, repositories, repository, untagged } = containers;
  return [get, storage, repositories, repository, untagged, billing.limits];
}
