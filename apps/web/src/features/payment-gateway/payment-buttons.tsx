import type { Beneficiary, VirtualAccount } from '@nephos/contracts';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { lazy, useState, useTransition } from 'react';
import { useNeed } from '../../lib/use-refusal.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { Button, type ButtonProps } from '../../ui/button.tsx';

// Fetched with the first payment: most visits move no money.
const SendDialog = lazy(() =>
  import('./send-payment.tsx').then(({ SendDialog }) => ({ default: SendDialog })),
);
const ReceiveDialog = lazy(() =>
  import('./receive-payment.tsx').then(({ ReceiveDialog }) => ({ default: ReceiveDialog })),
);

/** A dialog that is fetched when it is asked for; `opening` until it is there. */
function useLateDialog() {
  const [open, setOpen] = useState(false);
  const [opening, startOpening] = useTransition();
  return {
    open,
    opening,
    ask: () => startOpening(() => setOpen(true)),
    close: () => setOpen(false),
  };
}

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
  const need = useNeed('money');
  const { open, opening, ask, close } = useLateDialog();
  return (
    <>
      <Button {...look} {...need} aria-label={label} pending={opening} onClick={ask}>
        {!opening && <ArrowUpRight aria-hidden="true" />}
        Send
      </Button>
      <LatePart wanted={open} onSaid={close}>
        {open && <SendDialog from={from} to={to} onClose={close} />}
      </LatePart>
    </>
  );
}

export interface ReceiveButtonProps extends Pick<ButtonProps, 'size'> {
  account: VirtualAccount;
}

/** Opens the form that brings money in. */
export function ReceiveButton({ account, size }: ReceiveButtonProps) {
  const need = useNeed('money');
  const { open, opening, ask, close } = useLateDialog();
  return (
    <>
      <Button
        size={size}
        {...need}
        aria-label={`Receive into ${account.accountName}`}
        pending={opening}
        onClick={ask}
      >
        {!opening && <ArrowDownLeft aria-hidden="true" />}
        Receive
      </Button>
      <LatePart wanted={open} onSaid={close}>
        {open && <ReceiveDialog account={account} onClose={close} />}
      </LatePart>
    </>
  );
}
