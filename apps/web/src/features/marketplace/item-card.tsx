import type { Installation, MarketplaceItem } from '@nephos/contracts';
import { CircleCheck, Download, TriangleAlert } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { InstallationState } from './installation-state.tsx';
import { ItemActions } from './item-actions.tsx';
import { ItemIcon } from './item-icon.tsx';

export interface ItemCardProps {
  item: MarketplaceItem;
  /** Absent: it was never installed, or is uninstalled. */
  installation: Installation | undefined;
  onInstall: () => void;
}

/** An item of the catalogue and what has become of it. */
export function ItemCard({ item, installation, onInstall }: ItemCardProps) {
  const { name, description, category, isTemplate, needs } = item;
  const missing = needs.filter(({ available }) => !available);
  return (
    <Card className="flex h-full min-h-56 flex-col">
      <header className="flex gap-3">
        <ItemIcon item={item} />
        <div className="min-w-0">
          <h2 className="break-words font-semibold text-lg leading-5">{name}</h2>
          <div className="mt-2 flex flex-wrap gap-1.5">
            <Badge>{category}</Badge>
            {isTemplate && <Badge tone="accent">Template</Badge>}
            {installation?.status === 'installed' && (
              <Badge tone="success" icon={<CircleCheck aria-hidden="true" />}>
                Installed
              </Badge>
            )}
          </div>
        </div>
      </header>
      <p className="mt-4 break-words text-muted">{description}</p>
      {missing.length > 0 && !installation && (
        <p className="mt-3 flex gap-2 text-sm text-warning">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          Not available here: {missing.map(({ label }) => label).join(', ')}
        </p>
      )}
      {installation && <InstallationState name={name} installation={installation} />}
      <footer className="mt-auto flex flex-wrap items-center justify-between gap-2 pt-5">
        <InstallCount count={item.installCount} />
        <ItemActions item={item} installation={installation} onInstall={onInstall} />
      </footer>
    </Card>
  );
}

function InstallCount({ count }: { count: number }) {
  return (
    <p className="inline-flex items-center gap-1.5 text-faint text-sm tabular-nums">
      <Download aria-hidden="true" className="size-3.5" />
      {count.toLocaleString('en')} {count === 1 ? 'install' : 'installs'}
    </p>
  );
}
