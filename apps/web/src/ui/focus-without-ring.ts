import type { MouseEvent } from 'react';

/**
 * For what Radix focuses by script when it is pressed, which browsers take for the keyboard: they would draw their ring
 * around what was clicked.
 */
export function focusWithoutRing(event: MouseEvent<HTMLElement>): void {
  if (event.button === 0 && !event.ctrlKey) event.currentTarget.focus({ focusVisible: false });
}
