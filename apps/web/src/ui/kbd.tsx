import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A key, or keys pressed together. */
export function Kbd({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={classNames(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line-strong bg-sunken px-1.5 font-sans text-faint text-xs',
        className,
      )}
    >
      {children}
    </kbd>
  );
}
