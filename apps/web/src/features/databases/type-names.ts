import type { ManagedDatabase } from '@nephos/contracts';

/** What the types call themselves. */
export const TYPE_NAMES: Record<ManagedDatabase['type'], string> = {
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
  mongodb: 'MongoDB',
};
