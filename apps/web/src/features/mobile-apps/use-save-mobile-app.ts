import type { MobileApp } from '@nephos/contracts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';

/** Changes an app's settings, and shows the files that were made of them. */
export function useSaveMobileApp(status: MobileApp['buildStatus'], leave?: () => void) {
  const utils = trpc.useUtils();
  return useAction(trpc.mobileApps.update.useMutation(), {
    success:
      status === 'configured'
        ? 'Mobile app updated and build configuration regenerated'
        : 'Mobile app updated successfully',
    failure: 'Failed to update mobile app',
    refresh: [utils.mobileApps.list, utils.mobileApps.files],
    ...(leave && { leave }),
  });
}
