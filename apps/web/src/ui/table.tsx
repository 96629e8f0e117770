import type { ComponentProps, ReactNode } from 'react';
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
  return (
    // No landmark: it stands mostly in a section of the same name.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame has to be reachable by keyboard
      tabIndex={0}
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
