import { TOOLTIP_DELAY } from '@nephos/contracts/constants';
import * as Radix from 'radix-ui/tooltip';
import { type ReactElement, type ReactNode, useState } from 'react';
import { classNames } from './class-names.ts';
import { OVERLAY_STYLES } from './overlay-styles.ts';

/** Once around everything that holds tooltips. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={TOOLTIP_DELAY}>{children}</Radix.Provider>;
}

export interface TooltipProps {
  content: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** Keeps the trigger mounted while the tooltip itself is not wanted. */
  disabled?: boolean;
  children: ReactElement;
}

/** A short name or explanation for a control, after 700 ms. */
export function Tooltip({ content, side = 'top', disabled = false, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  // Radix does not close what it was told is closed: what opened while unwanted would show when it is wanted again.
  if (open && disabled) setOpen(false);
  return (
    <Radix.Root open={open && !disabled} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={classNames(OVERLAY_STYLES, 'z-50 max-w-72 animate-fade-in px-2.5 py-1.5 text-sm')}
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
