import * as Radix from 'radix-ui/tabs';
import { type ComponentProps, useRef } from 'react';
import { classNames } from './class-names.ts';
import { focusWithoutRing } from './focus-without-ring.ts';
import { useScrollRow } from './use-scroll-row.ts';

export const Tabs = Radix.Root;

/** Tabs in a row; where they have no room it scrolls, fades where it goes on, and begins where the chosen one is seen. */
export function TabsList({ className, ...props }: Omit<ComponentProps<typeof Radix.List>, 'ref'>) {
  const list = useRef<HTMLDivElement>(null);
  useScrollRow(list, '[data-state="active"]');
  return (
    <Radix.List
      {...props}
      ref={list}
      className={classNames(
        'scroll-fade relative flex gap-1 overflow-x-auto border-line border-b',
        className,
      )}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      onMouseDown={focusWithoutRing}
      {...props}
      className={classNames(
        '-mb-px inline-flex h-10 shrink-0 items-center gap-2 border-transparent border-b-2 px-3 font-medium text-base text-muted transition-colors',
        'hover:text-fg focus-visible:-outline-offset-2 data-[state=active]:border-accent-text data-[state=active]:text-fg',
        className,
      )}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content {...props} className={classNames('pt-6', className)} />;
}
