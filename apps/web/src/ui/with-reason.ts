import { cloneElement, isValidElement, type ReactNode } from 'react';

/** A button that is disabled with the reason where there is one. */
export function withReason(button: ReactNode, reason: string | undefined): ReactNode {
  if (reason === undefined || !isValidElement<{ disabled?: boolean; title?: string }>(button)) return button;
  return cloneElement(button, { disabled: true, title: reason });
}
