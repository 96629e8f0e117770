import type { Installation, MarketplaceItem, ReceiptEntry } from '@nephos/contracts';
import {
  Activity,
  CircleCheck,
  Download,
  Globe,
  Layers,
  type LucideIcon,
  Mail,
  PanelsTopLeft,
  Store,
  TriangleAlert,
  Webhook,
} from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ItemActions } from './item-actions.tsx';
import { RESOURCE_LOOKS, ResourceLink, ResourceRows } from './resource-rows.tsx';
import { UpgradeState } from './upgrade.tsx';

interface ItemCardProps {
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
            {item.app && <Badge>{installation?.version ?? item.version}</Badge>}
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
      {installation?.status === 'installed' && <AppState item={item} installation={installation} />}
      <footer className="mt-auto flex flex-wrap items-center justify-between gap-2 pt-5">
        <InstallCount count={item.installCount} />
        <ItemActions item={item} installation={installation} onInstall={onInstall} />
      </footer>
    </Card>
  );
}

/** What to do first with an app, and what there is of a newer version. */
function AppState({ item: { app }, installation }: { item: MarketplaceItem; installation: Installation }) {
  const { upgrade } = installation;
  return (
    <>
      {app?.firstSteps && <p className="mt-3 break-words text-muted text-sm">{app.firstSteps}</p>}
      {upgrade && !upgrade.status && (
        <p className="mt-3 text-sm">
          Version <span className="font-medium">{upgrade.version}</span> is available.
        </p>
      )}
      <UpgradeState installation={installation} />
    </>
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

/** For categories whose items are told apart by more than what they make. */
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
function ItemIcon({ item }: { item: MarketplaceItem }) {
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

interface InstallationStateProps {
  /** The item's name. */
  name: string;
  installation: Installation;
}

/** How far an installation has come, why it failed, or what it made. */
function InstallationState({ name, installation }: InstallationStateProps) {
  switch (installation.status) {
    case 'installing':
      return <InstallProgress name={name} installation={installation} />;
    case 'failed':
      return (
        <div className="mt-4 rounded-lg border border-danger/50 bg-danger-soft px-3 py-2 text-sm">
          <p className="font-medium">The installation failed</p>
          <p className="mt-0.5 break-words text-muted">{installation.error}</p>
        </div>
      );
    case 'installed':
      return <Receipt name={name} receipt={installation.receipt} />;
  }
}

function InstallProgress({ name, installation: { step, steps, doing } }: InstallationStateProps) {
  return (
    <div className="mt-4 flex flex-col gap-2 text-sm">
      <div role="status" className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 gap-2 font-medium">
          <Spinner className="mt-0.5 shrink-0 text-accent-text" />
          <span className="min-w-0 break-words">{doing || 'Waiting to start'}</span>
        </span>
        <span className="shrink-0 text-faint text-xs tabular-nums">
          Step {Math.min(step + 1, steps)} of {steps}
        </span>
      </div>
      <Progress label={`Installing ${name}`} value={step} max={steps} />
    </div>
  );
}

/** So many rows are shown on a card before one asks for all. */
const FEW = 4;

interface ReceiptProps {
  /** The item's name, for assistive technology. */
  name: string;
  receipt: readonly ReceiptEntry[];
}

/** What an installation made, each leading to its page. */
function Receipt({ name, receipt }: ReceiptProps) {
  const [all, setAll] = useState(false);
  const shown = all || receipt.length <= FEW + 1 ? receipt : receipt.slice(0, FEW);
  if (receipt.length === 0) return null;
  return (
    <div className="mt-4">
      <ResourceRows
        label={`Made by ${name}`}
        rows={shown.map((entry) => ({
          key: `${entry.kind} ${entry.id}`,
          kind: entry.kind,
          name: <ResourceLink entry={entry} />,
        }))}
      />
      {shown.length < receipt.length && (
        <Button
          size="sm"
          variant="ghost"
          className="mt-1"
          aria-label={`Show all ${receipt.length} of ${name}`}
          onClick={() => setAll(true)}
        >
          Show all {receipt.length}
        </Button>
      )}
    </div>
  );
}
