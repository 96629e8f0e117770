import { MOBILE_BREAKPOINT } from '@nephos/contracts/constants';
import { useMedia } from './use-media.ts';

/** Whether the window is narrower than the mobile breakpoint. */
export function useMobile(): boolean {
  return useMedia(`(max-width: ${MOBILE_BREAKPOINT - 1}px)`);
}
