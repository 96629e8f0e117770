import { useRef } from 'react';

/**
 * Handlers for a dialog's content that put the focus back where it was before. Radix does so only for dialogs with a
 * trigger of their own, and ours are opened by addresses and shortcuts as well.
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
      if (!opener.current?.isConnected) return;
      event.preventDefault();
      opener.current.focus();
    },
  };
}
