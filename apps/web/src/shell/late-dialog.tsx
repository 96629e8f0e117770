import { type ComponentType, lazy, useState } from 'react';
import { DialogSkeleton, type DialogSkeletonProps } from '../ui/dialog-skeleton.tsx';
import { DialogOpener } from '../ui/use-focus-return.ts';
import { LatePart } from './late-part.tsx';

/**
 * A dialog that is loaded once it is opened: until then its frame stands in for it. `preload` fetches it ahead; whether
 * that works is seen when it is opened.
 */
export function lateDialog<Props extends { onClose: () => void }>(
  frame: Omit<DialogSkeletonProps, 'onClose'>,
  load: () => Promise<ComponentType<Props>>,
) {
  const Dialog = lazy(() => load().then((dialog) => ({ default: dialog })));
  function LateDialog(props: Props) {
    const [opener] = useState(() => document.activeElement);
    return (
      <DialogOpener value={opener}>
        <LatePart
          wanted
          onSaid={props.onClose}
          fallback={<DialogSkeleton {...frame} onClose={props.onClose} />}
        >
          <Dialog {...props} />
        </LatePart>
      </DialogOpener>
    );
  }
  return Object.assign(LateDialog, { preload: () => void load().catch(() => undefined) });
}
