import * as Radix from 'radix-ui/dropdown-menu';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { OVERLAY_STYLES } from './overlay-styles.ts';

/** Not modal: the page stays readable to assistive technology while a menu is open. */
export function DropdownMenu(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root modal={false} {...props} />;
}

export const DropdownMenuTrigger = Radix.Trigger;

export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        {...props}
        className={classNames(OVERLAY_STYLES, 'z-50 min-w-48 animate-pop-in p-1', className)}
      />
    </Radix.Portal>
  );
}

export interface DropdownMenuItemProps extends ComponentProps<typeof Radix.Item> {
  danger?: boolean;
}

export function DropdownMenuItem({ danger = false, className, ...props }: DropdownMenuItemProps) {
  return (
    <Radix.Item
      {...props}
      className={classNames(
        'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-sm px-2 text-base outline-none',
        'data-[disabled]:opacity-55 data-[highlighted]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0',
        danger ? 'text-danger' : 'text-fg [&_svg]:text-faint',
        className,
      )}
    />
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Radix.Label>) {
  return <Radix.Label {...props} className={classNames('px-2 py-1.5', className)} />;
}

export function DropdownMenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
