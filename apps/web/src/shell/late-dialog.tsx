import { type ReactNode, useState } from 'react';
import { DialogSkeleton, type DialogSkeletonProps } from '../ui/dialog-skeleton.tsx';
import { DialogOpener } from '../ui/use-focus-return.ts';
import { LatePart } from './late-part.tsx';

export interface LateDialogProps extends DialogSkeletonProps {
  /** The dialog, by `lazy`. */
  children: ReactNode;
}

/** Around a dialog that is loaded once it is opened: its frame is there at once. */
export function LateDialog({ children, ...frame }: LateDialogProps) {
  const [opener] = useState(() => document.activeElement);
  return (
    <DialogOpener value={opener}>
      <LatePart wanted onSaid={frame.onClose} fallback={<DialogSkeleton {...frame} />}>
        {children}
      </LatePart>
    </DialogOpener>
  );
}
