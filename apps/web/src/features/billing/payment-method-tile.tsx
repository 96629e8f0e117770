import type { PaymentCard } from '@nephos/contracts';
import { Tile } from '../../ui/tile.tsx';
import { RemoveCard } from './remove-card.tsx';

function expiryOf({ expiryMonth, expiryYear }: PaymentCard): string {
  return `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
}

/** The card that renewals are charged to. */
export function PaymentMethodTile({ card }: { card: PaymentCard | null }) {
  if (!card) {
    return <Tile term="Payment Method" value="No card" note="It is kept when you first pay for a plan." />;
  }
  return (
    <Tile
      term="Payment Method"
      value={`${card.brand} ending ${card.last4}`}
      note={`Expires ${expiryOf(card)}`}
      aside={<RemoveCard card={card} />}
    />
  );
}
