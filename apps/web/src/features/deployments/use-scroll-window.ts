import { useCallback, useEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as the end. */
const SLACK = 24;

/** Which part of a scrolling frame is in sight, and whether that is its end. */
export function useScrollWindow() {
  const frame = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const [sight, setSight] = useState({ top: 0, height: 0 });

  const look = useCallback(() => {
    const { current } = frame;
    if (!current) return;
    setSight({ top: current.scrollTop, height: current.clientHeight });
    setFollowing(current.scrollHeight - current.scrollTop - current.clientHeight <= SLACK);
  }, []);

  const toEnd = useCallback(() => {
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
    setFollowing(true);
  }, []);

  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(look);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [look]);

  return { frame, sight, following, look, toEnd };
}
