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
  /** Where the frame was put last. */
  const put = useRef(0);

  const toEnd = useCallback(() => {
    setFollowing(true);
    if (!frame.current) return;
    frame.current.scrollTop = frame.current.scrollHeight;
    put.current = frame.current.scrollTop;
  }, []);

  // The content may grow between a scroll and its event, so being away from the end says nothing: being above where we
  // put the frame does.
  const look = useCallback(() => {
    const { current } = frame;
    if (!current) return;
    if (isAtEnd(current)) setFollowing(true);
    else if (current.scrollTop < put.current) setFollowing(false);
  }, []);

  const follow = useCallback(() => {
    const { current } = frame;
    const wasScrolled = current && current.scrollTop < put.current && !isAtEnd(current);
    if (wasScrolled) setFollowing(false);
    else toEnd();
  }, [toEnd]);

  useEffect(() => {
    if (!following || !frame.current || !content.current) return;
    const observer = new ResizeObserver(follow);
    observer.observe(frame.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [following, follow]);

  return { frame, content, following, look, toEnd };
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= SLACK;
}
