import { createContext, use, useRef } from 'react';

/** What had the focus before a dialog that takes another's place, so that it returns there from the second as well. */
export const DialogOpener = createContext<Element | null>(null);

/**
 * Handlers for a dialog's content that put the focus back where it was before, unless something else took it meanwhile.
 * Radix does so only for dialogs with a trigger of their own, and ours are opened by addresses and shortcuts as well.
 * Where what opened the dialog goes with what was done in it, the page's content has the focus.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement>(null);
  const first = use(DialogOpener);
  return {
    onOpenAutoFocus() {
      const { activeElement, body } = document;
      const before = activeElement === body ? first : activeElement;
      opener.current = before instanceof HTMLElement && before !== body ? before : null;
    },
    onCloseAutoFocus(event: Event) {
      const taken = document.activeElement !== document.body;
      if (!taken && !opener.current) return;
      event.preventDefault();
      if (taken || !opener.current) return;
      const goal = opener.current.isConnected ? opener.current : document.querySelector('main');
      goal?.focus();
    },
  };
}
