import { useEffect, useState } from 'react';

/** Milliseconds between two paintings while changes pour in. */
const PAINT_INTERVAL = 60;

/** A number that follows changes, however many, at most once per `PAINT_INTERVAL`. */
export function usePaintedVersion() {
  const [painter] = useState(createPainter);
  const [version, setVersion] = useState(0);
  useEffect(() => painter.start(() => setVersion((before) => before + 1)), [painter]);
  return { version, changed: painter.changed };
}

/** Not by animation frames: a hidden tab has none. */
function createPainter() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let paint: (() => void) | undefined;
  function changed() {
    timer ??= setTimeout(() => {
      timer = undefined;
      paint?.();
    }, PAINT_INTERVAL);
  }
  function start(callback: () => void) {
    paint = callback;
    return () => {
      paint = undefined;
      clearTimeout(timer);
      timer = undefined;
    };
  }
  return { changed, start };
}
