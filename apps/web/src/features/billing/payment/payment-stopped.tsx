import { Button } from '../../../ui/button.tsx';
import { DialogFooter } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';

interface StoppedProps {
  /** Why it does not go on. */
  refusal: string;
  onRetry: () => void;
  onClose: () => void;
}

/** Nothing was paid: there is not even a payment. */
export function NotBegun({ refusal, onRetry, onClose }: StoppedProps) {
  return (
    <>
      <Notice tone="danger" title={refusal} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </DialogFooter>
    </>
  );
}

/** The money has left: what is missing is only that the plan knows of it. */
export function NotRecorded({ refusal, onRetry, onClose }: StoppedProps) {
  return (
    <>
      <Notice tone="warning" title={NOT_RECORDED}>
        {notRecorded(refusal)}
      </Notice>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </DialogFooter>
    </>
  );
}

export const NOT_RECORDED = 'Your payment succeeded, but the plan is not active yet';

export function notRecorded(refusal: string): string {
  return `${refusal} Try again: your card won't be charged twice.`;
}
