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
      opener.current.focus();
      followFocus(opener.current);
    },
  };
}

/** A row's button goes with its row, which is gone only when the list was fetched again. */
function followFocus(control: HTMLElement): void {
  function stop() {
    observer.disconnect();
    document.removeEventListener('focusin', leave);
  }
  /** Whoever went elsewhere is not brought back from there. */
  function leave({ target }: FocusEvent) {
    if (target !== control) stop();
  }
  function follow() {
    if (control.isConnected && document.activeElement === control) return;
    stop();
    if (!control.isConnected && document.activeElement === document.body)
      document.querySelector('main')?.focus();
  }
  const observer = new MutationObserver(follow);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', leave);
  follow();
}
