import { trpc } from '../../trpc.ts';

/** The queries about what images use of the storage: a push or deletion makes all of them old. */
export function useStorageQueries() {
  const { storage, repositories, repository, untagged } = trpc.useUtils().containers;
  return [storage, repositories, repository, untagged];
}
