import * as Radix from 'radix-ui/alert-dialog';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { DIALOG_FRAME, DIALOG_STYLES, SCRIM_STYLES } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

/** The frame of a question that has to be answered: a click beside it does not close it. */
export function AlertDialog({ open, onOpenChange, children }: AlertDialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM_STYLES} />
        <div className={DIALOG_FRAME}>
          <Radix.Content {...useFocusReturn()} className={classNames(DIALOG_STYLES, 'max-w-lg')}>
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
