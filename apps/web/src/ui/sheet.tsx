import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { SCRIM_STYLES } from './dialog.tsx';
import { IconButton } from './icon-button.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Accessible name of the drawer; shown only if `showTitle`. */
  title: string;
  showTitle?: boolean;
  side?: 'left' | 'right';
  /** Any CSS length. */
  width?: string;
  children: ReactNode;
}

const SIDES = {
  left: 'left-0 animate-slide-in-left border-r',
  right: 'right-0 animate-slide-in-right border-l',
};

/** A drawer from the side of the window. */
export function Sheet({
  open,
  onOpenChange,
  title,
  showTitle = false,
  side = 'right',
  width = '24rem',
  children,
}: SheetProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM_STYLES} />
        <Radix.Content
          aria-describedby={undefined}
          {...useFocusReturn()}
          style={{ width }}
          className={classNames(
            'fixed inset-y-0 z-50 flex max-w-[calc(100vw-2.5rem)] flex-col border-line bg-raised text-fg shadow-overlay outline-none',
            SIDES[side],
          )}
        >
          <div className={showTitle ? 'flex items-center justify-between border-b px-4 py-3' : 'sr-only'}>
            <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
            {showTitle && (
              <Radix.Close asChild>
                <IconButton label="Close">
                  <X />
                </IconButton>
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
