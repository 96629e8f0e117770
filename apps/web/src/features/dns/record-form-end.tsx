import { Button } from '../../ui/button.tsx';
import { DialogClose, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface RecordFormEndProps {
  /** The verb on the button. */
  label: string;
  disabled: boolean;
  pending: boolean;
  /** The server's sentence about a refusal that no field explains. */
  refusal: string | undefined;
}

/** What a record's form ends with: why it was refused, and the buttons. */
export function RecordFormEnd({ label, disabled, pending, refusal }: RecordFormEndProps) {
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
