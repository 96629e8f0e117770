import type { Installation, MarketplaceItem } from '@nephos/contracts';
import { ItemCard } from './item-card.tsx';

export interface ItemGridProps {
  /** Accessible name: which items they are. */
  label: string;
  items: readonly MarketplaceItem[];
  installations: ReadonlyMap<string, Installation>;
  onInstall: (id: string) => void;
}

export function ItemGrid({ label, items, installations, onInstall }: ItemGridProps) {
  return (
    <ul aria-label={label} className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
      {items.map((item) => (
        <li key={item.id} className="min-w-0">
          <ItemCard
            item={item}
            installation={installations.get(item.id)}
            onInstall={() => onInstall(item.id)}
          />
        </li>
      ))}
    </ul>
  );
}
