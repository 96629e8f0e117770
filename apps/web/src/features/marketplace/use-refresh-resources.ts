import { useCallback } from 'react';
import { trpc } from '../../trpc.ts';

/** Makes every screen fetch again what an installation makes or takes away. */
export function useRefreshResources(): () => void {
  const utils = trpc.useUtils();
  return useCallback(() => {
    for (const domain of [
      utils.projects,
      utils.databases,
      utils.dns,
      utils.containers,
      utils.storage,
      utils.mobileApps,
    ]) {
      void domain.invalidate();
    }
  }, [utils]);
}
