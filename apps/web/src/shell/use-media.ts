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

const MOBILE = `(max-width: ${MOBILE_BREAKPOINT - 1}px)`;

/** Whether the window is narrower than the mobile breakpoint. */
export function useMobile(): boolean {
  return useMedia(MOBILE);
}

/** The same at this moment, for what is decided once. */
export function isMobile(): boolean {
  return window.matchMedia(MOBILE).matches;
}
