import { useEffect, useRef } from 'react';

const FIRST_DELAY = 1000;
const LONGEST_DELAY = 30_000;

export interface Stream {
  status: 'idle' | 'connecting' | 'pending' | 'error';
  reset: () => void;
}

/**
 * Opens a stream again after an answer that ends it for good, such as 503 while the server starts; lost connections
 * are the browser's own to repeat. Waits 1 s, then twice as long each time, up to 30 s.
 */
export function useStreamRetry({ status, reset }: Stream): void {
  const delay = useRef(FIRST_DELAY);
  useEffect(() => {
    if (status === 'pending') delay.current = FIRST_DELAY;
    if (status !== 'error') return;
    const timer = setTimeout(reset, delay.current);
    delay.current = Math.min(delay.current * 2, LONGEST_DELAY);
    return () => clearTimeout(timer);
  }, [status, reset]);
}
