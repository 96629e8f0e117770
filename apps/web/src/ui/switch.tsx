import * as Radix from 'radix-ui/switch';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { useFieldControl } from './field.tsx';

/** On or off, at once. */
export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      {...useFieldControl()}
      {...props}
      className={classNames(
        'inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-control-line bg-sunken px-0.5 transition-colors',
        'disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        className,
      )}
    >
      <Radix.Thumb className="size-3.5 rounded-full bg-muted transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-accent-fg" />
    </Radix.Root>
  );
}
