import type { StorageKey } from '@nephos/contracts';

export const KEY_ACCESS: Readonly<Record<StorageKey['access'], string>> = {
  read: 'Read only',
  write: 'Read and write',
};
