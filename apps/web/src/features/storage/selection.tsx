import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  use,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react';

interface Selecting {
  has: (id: string) => boolean;
  /** Ticks or unticks a row; `range`: and all between it and the one before. */
  tick: (id: string, on: boolean, range: boolean) => void;
}

const SelectionContext = createContext<Selecting | undefined>(undefined);

export interface Selection<Row> {
  selected: readonly Row[];
  rows: readonly Row[];
  setAll: (on: boolean) => void;
  /** For the element that has the rows: Ctrl or Cmd and A selects all of them, Escape none. */
  keys: { onKeyDown: (event: KeyboardEvent<HTMLElement>) => void };
  /** Around the rows. */
  provide: (children: ReactNode) => ReactNode;
}

/** Which of the rows are selected. Those of another place are not, nor is what is not there any more. */
export function useSelection<Row extends { id: string }>(
  rows: readonly Row[],
  place: string,
): Selection<Row> {
  const [kept, setKept] = useState<{ place: string; ids: ReadonlySet<string> }>({ place, ids: new Set() });
  const ids = kept.place === place ? kept.ids : NONE;
  const last = useRef<string>(undefined);
  const shown = useRef(rows);
  shown.current = rows;

  const tick = useCallback(
    (id: string, on: boolean, range: boolean) => {
      const among = range ? between(shown.current, last.current, id) : [id];
      last.current = id;
      setKept((before) => {
        const next = new Set(before.place === place ? before.ids : NONE);
        for (const one of among) on ? next.add(one) : next.delete(one);
        return { place, ids: next };
      });
    },
    [place],
  );
  const setAll = (on: boolean) =>
    setKept({ place, ids: on ? new Set(shown.current.map(({ id }) => id)) : NONE });
  const selecting = useMemo(() => ({ has: (id: string) => ids.has(id), tick }), [ids, tick]);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { target, currentTarget } = event;
    // What is in a dialog is further up in the tree of the page than in React's.
    if (!(target instanceof Element) || !currentTarget.contains(target)) return;
    if (event.key === 'Escape' && ids.size > 0) setAll(false);
    if (event.key !== 'a' || !(event.ctrlKey || event.metaKey) || isTyping(target)) return;
    event.preventDefault();
    setAll(true);
  }

  return {
    ...{ rows, setAll, selected: rows.filter(({ id }) => ids.has(id)), keys: { onKeyDown } },
    provide: (children) => <SelectionContext value={selecting}>{children}</SelectionContext>,
  };
}

const NONE: ReadonlySet<string> = new Set();

function isTyping(target: Element): boolean {
  return target.matches('textarea, select, [contenteditable], input:not([type=checkbox])');
}

/** The ids from one row to another, both of them included; of the other alone where the first is gone. */
function between(rows: readonly { id: string }[], from: string | undefined, to: string): string[] {
  const ids = rows.map(({ id }) => id);
  const ends = [ids.indexOf(from ?? to), ids.indexOf(to)];
  if (ends.includes(-1)) return [to];
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1);
}

/** Ticks a row; with Shift, also all since the one that was ticked before. Nothing where rows cannot be selected. */
export function SelectBox({ id, name }: { id: string; name: string }) {
  const selecting = use(SelectionContext);
  const range = useRef(false);
  if (!selecting) return null;
  return (
    <label className="-m-1 flex size-6 shrink-0 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        className="size-4 cursor-pointer accent-accent"
        checked={selecting.has(id)}
        onPointerDown={({ shiftKey }) => {
          range.current = shiftKey;
        }}
        onKeyDown={({ shiftKey }) => {
          range.current = shiftKey;
        }}
        onChange={({ target: { checked } }) => selecting.tick(id, checked, range.current)}
      />
    </label>
  );
}
