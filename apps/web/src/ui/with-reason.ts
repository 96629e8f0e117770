import { cloneElement, isValidElement, type ReactNode } from 'react';

/** A button that does nothing for the reason that it says, where there is one. */
export function withReason(button: ReactNode, reason: string | undefined): ReactNode {
  if (reason === undefined || !isValidElement<{ reason?: string }>(button)) return button;
  return cloneElement(button, { reason });
}
