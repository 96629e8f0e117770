import type { DeploymentStep } from '@nephos/contracts';

/** What the platform is doing at each step; after 'failed while' it reads on in lower case. */
export const STEP_LABELS: Record<DeploymentStep, string> = {
  clone: 'Cloning',
  detect: 'Detecting the app',
  install: 'Installing',
  build: 'Building',
  start: 'Starting',
  health: 'Checking health',
  switch: 'Switching over',
};
