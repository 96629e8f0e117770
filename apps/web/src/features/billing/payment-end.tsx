import { Button } from '../../ui/button.tsx';
import { DialogClose, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useFocusKept } from '../../ui/use-focus-kept.ts';

export interface PaymentEndProps {
  disabled: boolean;
  busy: boolean;
  /** Why the last attempt did not succeed. */
  refusal: string | undefined;
}

/** What a card form ends with. */
export function PaymentEnd({ disabled, busy, refusal }: PaymentEndProps) {
  useFocusKept(busy);
  return (
    <>
      {refusal && !busy && <Notice tone="danger" title={refusal} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button disabled={busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={disabled} pending={busy}>
          {busy ? 'Processing...' : 'Confirm Payment'}
        </Button>
      </DialogFooter>
    </>
  );
}
