import { useCallback, useEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as the end. */
const SLACK = 32;

/**
 * Keeps a scrolling frame at its end while its content grows, unless the person scrolled away from there. The refs go to
 * the frame and to its one child.
 */
export function useFollow() {
  const frame = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);

  const toEnd = useCallback(() => {
    setFollowing(true);
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, []);

  const look = useCallback(() => {
    const { current } = frame;
    if (current) setFollowing(current.scrollHeight - current.scrollTop - current.clientHeight <= SLACK);
  }, []);

  useEffect(() => {
    if (!following || !frame.current || !content.current) return;
    const observer = new ResizeObserver(toEnd);
    observer.observe(frame.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [following, toEnd]);

  return { frame, content, following, look, toEnd };
}
