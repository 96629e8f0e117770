import type { PaymentCard } from '@nephos/contracts';
import { Trash2 } from 'lucide-react';
import { trpc } from '../../../lib/trpc.ts';
import { useAction } from '../../../lib/use-action.ts';
import { DeleteDialog } from '../../../ui/delete-dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Tile } from '../../../ui/tile.tsx';
import { formatExpiry } from '../payment/card-expiry.ts';
import { useBillingQueries } from '../use-billing-queries.ts';

/** The card that renewals are charged to. */
export function PaymentMethodTile({ card }: { card: PaymentCard | null }) {
  if (!card) {
    return <Tile term="Payment Method" value="No card" note="Saved when you first pay for a plan." />;
  }
  return (
    <Tile
      term="Payment Method"
      value={`${card.brand} ending ${card.last4}`}
      note={`Expires ${formatExpiry(card)}`}
      aside={<RemoveCard card={card} />}
    />
  );
}

/** Asks for the card's last digits, then forgets the card. */
function RemoveCard({ card: { brand, last4 } }: { card: PaymentCard }) {
  const remove = useAction(trpc.billing.removeCard.useMutation(), {
    success: 'Card removed',
    failure: 'Failed to remove the card',
    serverSpeaks: true,
    refresh: useBillingQueries(),
  });
  return (
    <DeleteDialog
      title="Remove card?"
      description={`${brand} ending ${last4} will be removed and can't be charged again.`}
      name={last4}
      label="Remove card"
      action={remove}
      onConfirm={(close) => remove.run(undefined, close)}
      trigger={(open) => (
        <IconButton label="Remove card" title="Remove card" size="sm" className="-my-1 -mr-2" onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
