import * as Radix from 'radix-ui/alert-dialog';
import { type ReactNode, useState } from 'react';
import { AlertDialog } from './alert-dialog.tsx';
import { Button } from './button.tsx';
import { DialogFooter } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { useFocusKept } from './use-focus-kept.ts';
import { withReason } from './with-reason.ts';

export interface ConfirmDialogProps {
  /** A question. */
  title: string;
  /** What it means for others, and how it is undone. */
  description: ReactNode;
  /** The verb on the button. */
  label: string;
  /** The way out, where 'Cancel' could be taken for the action itself. */
  keepLabel?: string;
  /** The write: whether it is under way, why it was refused, and why it need not be tried. */
  action: {
    pending: boolean;
    refusal: string | undefined;
    forbidden?: string | undefined;
    reset: () => void;
  };
  /** Begins the write, which calls `close` once it is done. */
  onConfirm: (close: () => void) => void;
  /** Renders the button that asks. Absent, the dialog is open for as long as it is mounted. */
  trigger?: (open: () => void) => ReactNode;
  onClose?: () => void;
  /** More than a sentence about it, for example a list of what goes or a choice. */
  children?: ReactNode;
}

/** Asks before something that can be undone or entered again; `DeleteDialog` asks before more is lost. */
export function ConfirmDialog({
  title,
  description,
  label,
  keepLabel = 'Cancel',
  action: { pending, refusal, forbidden, reset },
  onConfirm,
  trigger,
  onClose,
  children,
}: ConfirmDialogProps) {
  const [asking, setAsking] = useState(!trigger);
  useFocusKept(pending);

  function ask() {
    reset();
    setAsking(true);
  }

  function change(open: boolean) {
    setAsking(open);
    if (!open) onClose?.();
  }

  return (
    <>
      {withReason(trigger?.(ask), forbidden)}
      <AlertDialog open={asking} onOpenChange={change}>
        <div className="overflow-y-auto p-6">
          <Radix.Title className="wrap-anywhere font-semibold text-lg">{title}</Radix.Title>
          <Radix.Description className="mt-1 text-muted text-sm">{description}</Radix.Description>
          {children && <div className="mt-4">{children}</div>}
          {forbidden && <Notice tone="warning" title={forbidden} className="mt-4" />}
          {refusal && <Notice tone="danger" title={refusal} className="mt-4" />}
          <DialogFooter>
            <Radix.Cancel asChild>
              <Button>{keepLabel}</Button>
            </Radix.Cancel>
            <Button
              variant="danger"
              disabled={forbidden !== undefined}
              pending={pending}
              onClick={() => onConfirm(() => change(false))}
            >
              {label}
            </Button>
          </DialogFooter>
        </div>
      </AlertDialog>
    </>
  );
}
