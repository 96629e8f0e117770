import * as Radix from 'radix-ui/dropdown-menu';
import type { ComponentProps, FocusEvent } from 'react';
import { classNames } from './class-names.ts';
import { OVERLAY_STYLES } from './overlay-styles.ts';
import { StandIn } from './stand-in.tsx';

export interface DropdownMenuProps extends ComponentProps<typeof Radix.Root> {
  /** What opens it. */
  button: HTMLElement;
}

/** Not modal: the page stays readable to assistive technology while a menu is open. */
export function DropdownMenu({ button, children, ...props }: DropdownMenuProps) {
  return (
    <Radix.Root modal={false} {...props}>
      <Radix.Trigger asChild>
        <StandIn element={button} />
      </Radix.Trigger>
      {children}
    </Radix.Root>
  );
}

export interface DropdownMenuContentProps extends ComponentProps<typeof Radix.Content> {
  /** Whether it was opened by a key of which it does not know, and so leaves the focus on itself. */
  focusesFirst?: boolean;
}

const FIRST_ITEM = '[role^="menuitem"]:not([data-disabled])';

function passFocusOn({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (target === currentTarget) currentTarget.querySelector<HTMLElement>(FIRST_ITEM)?.focus();
}

export function DropdownMenuContent({ className, focusesFirst = false, ...props }: DropdownMenuContentProps) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        {...(focusesFirst && { onFocus: passFocusOn })}
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

export type DropdownMenuLabelProps = ComponentProps<typeof Radix.Label>;

export function DropdownMenuLabel({ className, ...props }: DropdownMenuLabelProps) {
  return <Radix.Label {...props} className={classNames('px-2 py-1.5', className)} />;
}

export function DropdownMenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
