import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Whether an element is narrower than so many pixels, whatever the reason: the window, the zoom, the sidebar. Known
 * before the first paint.
 */
export function useNarrow<T extends HTMLElement>(width: number): [RefObject<T | null>, boolean] {
  const ref = useRef<T>(null);
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    // What is not laid out has no width at all.
    const measure = () => setNarrow(element.offsetWidth > 0 && element.offsetWidth < width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  return [ref, narrow];
}
