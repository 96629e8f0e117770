import type { Limited } from '@nephos/contracts/constants';

/** What is limited, for people. */
export const LIMIT_NAMES: Readonly<Record<Limited, string>> = {
  projects: 'projects',
  previews: 'previews',
  workspaces: 'shared workspaces',
  databases: 'databases',
  dnsZones: 'domains',
  virtualAccounts: 'virtual accounts',
  storage: 'storage',
};
