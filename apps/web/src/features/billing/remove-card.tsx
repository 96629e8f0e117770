import type { PaymentCard } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useBillingQueries } from './use-billing-queries.ts';

/** Asks for the card's last digits, then forgets the card. */
export function RemoveCard({ card: { brand, last4 } }: { card: PaymentCard }) {
  const [asking, setAsking] = useState(false);
  const remove = useAction(trpc.billing.removeCard.useMutation(), {
    success: 'Card removed',
    failure: 'Failed to remove the card',
    serverSpeaks: true,
    refresh: useBillingQueries(),
    onDone: () => setAsking(false),
  });
  return (
    <>
      <IconButton
        label="Remove card"
        title="Remove card"
        size="sm"
        className="-my-1 -mr-2"
        onClick={() => setAsking(true)}
      >
        <Trash2 />
      </IconButton>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Remove Card?"
        description={`${brand} ending ${last4} is forgotten and cannot be charged any more.`}
        name={last4}
        confirmLabel="Remove card"
        onConfirm={() => remove.run()}
        pending={remove.pending}
        refusal={remove.refusal}
      />
    </>
  );
}
