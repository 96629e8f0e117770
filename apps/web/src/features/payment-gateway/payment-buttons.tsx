import type { Beneficiary, VirtualAccount } from '@nephos/contracts';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';

// Fetched with the first payment: most visits move no money.
const SendDialog = lazy(() =>
  import('./send-payment.tsx').then(({ SendDialog }) => ({ default: SendDialog })),
);
const ReceiveDialog = lazy(() =>
  import('./receive-payment.tsx').then(({ ReceiveDialog }) => ({ default: ReceiveDialog })),
);

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
      <Suspense>{open && <SendDialog from={from} to={to} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

export interface ReceiveButtonProps extends Pick<ButtonProps, 'size'> {
  account: VirtualAccount;
}

/** Opens the form that brings money in. */
export function ReceiveButton({ account, size }: ReceiveButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size={size} aria-label={`Receive into ${account.accountName}`} onClick={() => setOpen(true)}>
        <ArrowDownLeft aria-hidden="true" />
        Receive
      </Button>
      <Suspense>{open && <ReceiveDialog account={account} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
