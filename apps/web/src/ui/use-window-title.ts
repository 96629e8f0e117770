import { useEffect } from 'react';

/** Names the window (its tab, its place in the history) after the page, while the page is there. */
export function useWindowTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · Nephos`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
