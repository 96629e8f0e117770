import type { MarketplaceItem } from '@nephos/contracts';
import { CircleCheck, CircleX } from 'lucide-react';
import { ResourceRows } from './resource-rows.tsx';

/** What installing an item makes, and what it needs for that. */
export function ItemPlan({ creates, needs }: Pick<MarketplaceItem, 'creates' | 'needs'>) {
  return (
    <>
      <section>
        <h3 className="mb-2 font-medium text-sm">What it creates</h3>
        <ResourceRows
          label="What it creates"
          rows={creates.map(({ kind, label }, index) => ({ key: String(index), kind, name: label }))}
        />
      </section>
      {needs.length > 0 && (
        <section>
          <h3 className="mb-2 font-medium text-sm">What it needs</h3>
          <ul aria-label="What it needs" className="flex flex-col gap-1.5 text-sm">
            {needs.map((need) => (
              <NeedRow key={need.label} need={need} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function NeedRow({ need: { label, available, reason } }: { need: MarketplaceItem['needs'][number] }) {
  const Icon = available ? CircleCheck : CircleX;
  return (
    <li className="flex gap-2.5">
      <Icon
        aria-hidden="true"
        className={available ? 'mt-0.5 size-4 shrink-0 text-success' : 'mt-0.5 size-4 shrink-0 text-danger'}
      />
      <span className="min-w-0">
        {label}
        <span className="sr-only">{available ? ': available' : ': not available'}</span>
        {!available && <span className="block break-words text-muted">{reason}</span>}
      </span>
    </li>
  );
}
