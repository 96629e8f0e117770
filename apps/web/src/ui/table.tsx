import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from './class-names.ts';

export interface TableProps {
  /** Accessible name of the table. */
  label: string;
  /** Columns are as wide as their headings say, whatever is in the rows. */
  fixed?: boolean;
  /** With the headings, where not all of the rows are drawn; -1: not known. */
  rowCount?: number;
  children: ReactNode;
}

/** A table of records; it scrolls sideways in its own frame where the window is narrow. */
export function Table({ label, fixed = false, rowCount, children }: TableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(frame);
  return (
    // No landmark: it stands mostly in a section of the same name.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      ref={frame}
      role="group"
      aria-label={label}
      // A scrolling frame has to be reachable by keyboard.
      tabIndex={scrolls ? 0 : undefined}
      className="relative overflow-x-auto rounded-xl border border-line bg-surface"
    >
      <table
        aria-label={label}
        aria-rowcount={rowCount}
        className={classNames('w-full border-collapse text-left text-base', fixed && 'table-fixed')}
      >
        {children}
      </table>
    </div>
  );
}

/** Whether a frame is narrower than what it holds. */
function useScrolls(frame: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setScrolls(element.scrollWidth > element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    // What it holds too: that changes its width with the rows.
    for (const observed of [element, ...element.children]) observer.observe(observed);
    return () => observer.disconnect();
  }, [frame]);
  return scrolls;
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className="border-line border-b bg-sunken">
      <tr>{children}</tr>
    </thead>
  );
}

export function TableHeading({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      {...props}
      className={classNames('h-10 whitespace-nowrap px-4 font-medium text-muted text-sm', className)}
    />
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return <tbody className="divide-y divide-line">{children}</tbody>;
}

export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return <tr {...props} className={classNames('transition-colors hover:bg-hover/50', className)} />;
}

export function TableCell({ className, ...props }: ComponentProps<'td'>) {
  return <td {...props} className={classNames('h-12 px-4 py-1.5', className)} />;
}
