import { type ReactNode, useRef } from 'react';
import { useScrollRow } from '../ui/use-scroll-row.ts';

/** The look of a link in `PageTabs`. */
export const PAGE_TAB =
  'inline-flex h-10 shrink-0 items-center border-transparent border-b-2 px-2 font-medium text-muted transition-colors sm:px-3 hover:text-fg focus-visible:-outline-offset-2 aria-[current=page]:border-accent-text aria-[current=page]:text-fg';

/** The look of a link that chooses what a page shows. */
export const PAGE_CHOICE =
  'inline-flex h-8 items-center rounded-md border border-transparent px-3 font-medium text-muted text-sm transition-colors hover:bg-hover hover:text-fg aria-[current=page]:border-line-strong aria-[current=page]:bg-surface aria-[current=page]:text-fg';

/** The pages of one thing. Links and not tabs, so that each has an address of its own. */
export function PageTabs({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  useScrollRow(row, '[aria-current="page"]');
  return (
    <nav
      ref={row}
      aria-label={label}
      className="scroll-fade relative flex overflow-x-auto border-line border-b sm:gap-1"
    >
      {children}
    </nav>
  );
}
