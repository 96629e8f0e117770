import { type RefObject, useLayoutEffect } from 'react';

/** Pixels beside what is chosen, so that it does not stand where the row fades. */
const ROOM = 40;

/**
 * For a row that scrolls where it has no room, with the styles `scroll-fade`: it fades where it goes on, and begins where
 * what `chosen` selects is seen.
 */
export function useScrollRow(row: RefObject<HTMLElement | null>, chosen: string): void {
  useLayoutEffect(() => {
    const element = row.current?.querySelector<HTMLElement>(chosen);
    if (!row.current || !element) return;
    row.current.scrollLeft = element.offsetLeft + element.offsetWidth + ROOM - row.current.clientWidth;
  }, [row, chosen]);
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return;
    function mark() {
      if (!element) return;
      const { scrollLeft, scrollWidth, clientWidth } = element;
      element.toggleAttribute('data-more-before', scrollLeft > 1);
      element.toggleAttribute('data-more-after', scrollLeft + clientWidth < scrollWidth - 1);
    }
    mark();
    element.addEventListener('scroll', mark, { passive: true });
    const observer = new ResizeObserver(mark);
    // What it holds too: that changes its width when the font arrives.
    for (const observed of [element, ...element.children]) observer.observe(observed);
    return () => {
      element.removeEventListener('scroll', mark);
      observer.disconnect();
    };
  }, [row]);
}
