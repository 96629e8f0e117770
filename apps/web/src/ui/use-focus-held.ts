import { type RefObject, useEffect } from 'react';

/**
 * Gives the focus to the page's content where what had it in there is gone: a row, the list of which it was the last, a bar.
 * Whoever works by keyboard would else begin at the top of the page. What takes the focus by itself has a moment for it.
 */
export function useFocusHeld(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function remember({ target }: FocusEvent) {
      last = target instanceof Element && content.current?.contains(target) ? target : null;
    }
    /** Whoever left it by themself is not brought back. What goes is left as well, and not there any more right after. */
    function leave({ target }: FocusEvent) {
      queueMicrotask(() => {
        if (target === last && last?.isConnected) last = null;
      });
    }
    function hold() {
      if (!last || last.isConnected) return;
      last = null;
      timer = setTimeout(() => {
        if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
      });
    }
    const observer = new MutationObserver(hold);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', leave);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', leave);
    };
  }, [content]);
}
