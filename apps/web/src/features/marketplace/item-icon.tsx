import type { MarketplaceItem } from '@nephos/contracts';
import { Activity, Globe, Layers, type LucideIcon, Mail, PanelsTopLeft, Store, Webhook } from 'lucide-react';
import { RESOURCE_LOOKS } from './resource-look.ts';

/** Of categories whose items are told apart by more than what they make. */
const CATEGORY_ICONS: Readonly<Record<string, LucideIcon>> = {
  'Full stack': Layers,
  APIs: Webhook,
  Websites: PanelsTopLeft,
  Monitoring: Activity,
  Email: Mail,
  Domains: Globe,
};

function iconOf({ category, creates: [first] }: MarketplaceItem): LucideIcon {
  return CATEGORY_ICONS[category] ?? (first ? RESOURCE_LOOKS[first.kind].icon : Store);
}

/** Decoration beside the item's name. */
export function ItemIcon({ item }: { item: MarketplaceItem }) {
  const Icon = iconOf(item);
  return (
    <span
      aria-hidden="true"
      className="flex size-10 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-accent-text"
    >
      <Icon className="size-5" />
    </span>
  );
}
