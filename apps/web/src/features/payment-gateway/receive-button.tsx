import type { VirtualAccount } from '@nephos/contracts';
import { ArrowDownLeft } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { ReceiveForm } from './receive-form.tsx';

export interface ReceiveButtonProps extends Pick<ButtonProps, 'size'> {
  account: VirtualAccount;
}

/** Opens the form that brings money in. */
export function ReceiveButton({ account, size }: ReceiveButtonProps) {
  const [open, setOpen] = useState(false);
  const { accountName } = account;
  return (
    <>
      <Button size={size} aria-label={`Receive into ${accountName}`} onClick={() => setOpen(true)}>
        <ArrowDownLeft aria-hidden="true" />
        Receive
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title="Receive Payment" description={`Into ${accountName}.`}>
          <ReceiveForm account={account} onDone={() => setOpen(false)} />
        </DialogContent>
      </Dialog>
    </>
  );
}
