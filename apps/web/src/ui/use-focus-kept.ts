import { useLayoutEffect, useRef } from 'react';

/**
 * Gives the focus back to the control that an action disabled while it had it, once the action is over; a browser
 * forgets it. Who went elsewhere meanwhile stays there.
 */
export function useFocusKept(busy: boolean): void {
  const kept = useRef<Element>(null);
  useLayoutEffect(() => {
    const { activeElement: focused, body } = document;
    if (busy) {
      kept.current = focused;
      return;
    }
    const control = kept.current;
    kept.current = null;
    // The dialog takes the focus that is lost within it.
    const lost = focused === null || focused === body || (focused !== control && focused.contains(control));
    if (lost && control instanceof HTMLElement) control.focus();
  }, [busy]);
}
