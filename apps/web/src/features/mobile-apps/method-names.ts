import type { MobileApp } from '@nephos/contracts';

/** How the ways to build an app are called. */
export const METHOD_NAMES: Record<MobileApp['deploymentMethod'], string> = {
  manual: 'Manual',
  github: 'GitHub',
  local: 'Local',
};
