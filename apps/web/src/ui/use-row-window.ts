import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Rows that are drawn beyond each edge of the window: the next that Tab leads to, and what a short scroll shows. */
const OVERSCAN = 12;
/** Rows before the end at which more are asked for. */
const AHEAD = 30;

export interface WindowRow {
  index: number;
  /** Pixels that the rows left out before it would take. */
  gap: number;
}

export interface RowWindowOptions {
  rows: readonly { id: string }[];
  /** Pixels of a row that was not drawn yet. */
  rowHeight: number;
  /** Called while the end is near, again and again. */
  onNearEnd?: (() => void) | undefined;
}

export interface RowWindow<Frame> {
  /** Put it around the rows. */
  frame: RefObject<Frame | null>;
  /** Those to draw, in order. */
  shown: WindowRow[];
  /** Pixels of the rows left out after the last. */
  rest: number;
  /** The ref of a row's element, which needs `data-index`. */
  measure: (element: Element | null) => void;
  /** Keeps a row drawn wherever one scrolls: for the one that has the focus, or whose dialog is open. */
  keep: (id: string) => void;
}

/** Which rows of a list are in sight, where the window scrolls. However long the list, there are no more of them. */
export function useRowWindow<Frame extends HTMLElement>({
  rows,
  rowHeight,
  onNearEnd,
}: RowWindowOptions): RowWindow<Frame> {
  const frame = useRef<Frame>(null);
  const top = useTop(frame);
  const indexes = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows]);
  const [kept, keep] = useState<string>();
  const keptIndex = kept === undefined ? undefined : indexes.get(kept);

  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor: (range) => withIndex(range, keptIndex),
  });

  const items = virtual.getVirtualItems();
  const last = virtual.range?.endIndex ?? 0;
  useLayoutEffect(() => {
    if (last >= rows.length - AHEAD) onNearEnd?.();
  });

  let end = top;
  const shown = items.map(({ index, start, end: itsEnd }) => {
    const gap = start - end;
    end = itsEnd;
    return { index, gap };
  });
  const rest = Math.max(0, top + virtual.getTotalSize() - end);
  return { frame, shown, rest, measure: virtual.measureElement, keep };
}

function withIndex(range: Range, kept: number | undefined): number[] {
  const indexes = defaultRangeExtractor(range);
  if (kept === undefined || indexes.includes(kept)) return indexes;
  return [...indexes, kept].sort((a, b) => a - b);
}

/** Pixels from the beginning of the page to an element. */
function useTop(frame: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  // Whatever is drawn anew above it may have moved it.
  useLayoutEffect(() => {
    if (frame.current) setTop(Math.round(frame.current.getBoundingClientRect().top + window.scrollY));
  });
  return top;
}
