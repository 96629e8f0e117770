import type { Beneficiary } from '@nephos/contracts';
import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { SendForm } from './send-form.tsx';

export interface SendButtonProps extends Pick<ButtonProps, 'variant' | 'size'> {
  /** Id of the account that the money leaves; absent, it is the newest. */
  from?: string;
  /** Whom the form is filled in with. */
  to?: Beneficiary;
  /** Accessible name, which says of what. */
  label: string;
}

/** Opens the form that sends money. */
export function SendButton({ from, to, label, ...look }: SendButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...look} aria-label={label} onClick={() => setOpen(true)}>
        <ArrowUpRight aria-hidden="true" />
        Send
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent
          title="Send Payment"
          description="At once to accounts here, after a while to other banks."
        >
          <SendForm from={from} to={to} onDone={() => setOpen(false)} />
        </DialogContent>
      </Dialog>
    </>
  );
}
