import * as Radix from 'radix-ui/alert-dialog';
import { useRef } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { DIALOG_FRAME, DIALOG_STYLES, DialogFooter, SCRIM_STYLES } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';

interface DiscardDialogProps {
  onDiscard: () => void;
  onKeep: () => void;
}

/** Asks before what was typed into a dialog is lost. Mount it while it asks. */
export function DiscardDialog({ onDiscard, onKeep }: DiscardDialogProps) {
  const discarded = useRef(false);
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn();

  /** Once discarded, the form's own dialog says where the focus goes: what had it here is gone. */
  function handBack(event: Event) {
    if (discarded.current) event.preventDefault();
    else onCloseAutoFocus(event);
  }

  function discard() {
    discarded.current = true;
    onDiscard();
  }

  return (
    <Radix.Root open onOpenChange={onKeep}>
      <Radix.Portal>
        {/* Over the form's dialog, which is over a scrim of its own. */}
        <Radix.Overlay className={classNames(SCRIM_STYLES, 'z-50!')} />
        <div className={DIALOG_FRAME}>
          <Radix.Content
            onOpenAutoFocus={onOpenAutoFocus}
            onCloseAutoFocus={handBack}
            className={classNames(DIALOG_STYLES, 'max-w-sm p-6')}
          >
            <Radix.Title className="font-semibold text-lg">Discard changes?</Radix.Title>
            <Radix.Description className="mt-1 text-muted text-sm">
              What you entered will be lost.
            </Radix.Description>
            <DialogFooter>
              <Radix.Cancel asChild>
                <Button>Keep editing</Button>
              </Radix.Cancel>
              <Button variant="danger" onClick={discard}>
                Discard
              </Button>
            </DialogFooter>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
