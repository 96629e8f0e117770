import { useEffect, useState } from 'react';

/** The present in epoch milliseconds, kept up to date every `every` milliseconds; not at all where that is null. */
export function useNow(every: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (every === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
