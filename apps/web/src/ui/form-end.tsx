import { Button } from './button.tsx';
import { DialogClose, DialogFooter } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { useFocusKept } from './use-focus-kept.ts';

export interface FormEndProps {
  /** The verb on the button. */
  label: string;
  disabled: boolean;
  pending: boolean;
  /** The server's sentence about a refusal that no field explains. */
  refusal: string | undefined;
}

/** What a dialog's form ends with: why it was refused, and the buttons. */
export function FormEnd({ label, disabled, pending, refusal }: FormEndProps) {
  useFocusKept(pending);
  return (
    <>
      {refusal && <Notice tone="danger" title={refusal} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={disabled} pending={pending}>
          {label}
        </Button>
      </DialogFooter>
    </>
  );
}
