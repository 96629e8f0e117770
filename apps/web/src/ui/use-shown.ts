import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still there, for what comes back to it later. */
export function useShown(): Readonly<RefObject<boolean>> {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
}
