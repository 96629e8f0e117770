import { useLayoutEffect, useRef } from 'react';

/**
 * Gives the focus back to the control that an action disabled while it had it, once the action is over; a browser
 * forgets it. Who went elsewhere meanwhile stays there.
 */
export function useFocusKept(busy: boolean): void {
  // Remembered as it comes: what is disabled has lost the focus before any effect runs.
  const last = useRef<Element>(null);
  useLayoutEffect(() => {
    if (busy) return;
    giveBack(last.current);
    last.current = document.activeElement;
    function remember({ target }: FocusEvent) {
      if (target instanceof Element) last.current = target;
    }
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [busy]);
}

function giveBack(control: Element | null): void {
  const { activeElement: focused, body } = document;
  // The dialog takes the focus that is lost within it.
  const lost = focused === null || focused === body || (focused !== control && focused.contains(control));
  if (lost && control instanceof HTMLElement) control.focus();
}
