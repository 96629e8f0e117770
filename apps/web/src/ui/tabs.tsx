import * as Radix from 'radix-ui/tabs';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export const Tabs = Radix.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List
      {...props}
      className={classNames('flex gap-1 overflow-x-auto border-line border-b', className)}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
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
