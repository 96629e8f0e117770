import { useRef } from 'react';

/**
 * Handlers for a dialog's content that put the focus back where it was before, unless something else took it meanwhile.
 * Radix does so only for dialogs with a trigger of their own, and ours are opened by addresses and shortcuts as well.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement>(null);
  return {
    onOpenAutoFocus() {
      const { activeElement } = document;
      opener.current =
        activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
    },
    onCloseAutoFocus(event: Event) {
      const taken = document.activeElement !== document.body;
      if (!taken && !opener.current?.isConnected) return;
      event.preventDefault();
      if (!taken) opener.current?.focus();
    },
  };
}
