import { MOBILE_BREAKPOINT } from '@nephos/contracts/constants';
import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Whether the window is narrower than the mobile breakpoint. */
export function useMobile(): boolean {
  return useMedia(`(max-width: ${MOBILE_BREAKPOINT - 1}px)`);
}
