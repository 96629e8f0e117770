import type { AccessToken } from '@nephos/contracts';

export const SCOPE_LABELS: Record<AccessToken['scope'], string> = {
  read: 'Read',
  write: 'Read and write',
};
