import type { AdminTotals } from '@nephos/contracts';
import { Gauge, type LucideIcon, Receipt, RefreshCw, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { formatCents } from '../../lib/money.ts';
import { trpc } from '../../trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FRESH } from './fresh.ts';

const COUNT = new Intl.NumberFormat('en');

interface Tile {
  title: string;
  icon: LucideIcon;
  figure: (totals: AdminTotals) => string;
  /** What the figure is part of. */
  context: (totals: AdminTotals) => string;
}

function counted(count: number, noun: string): string {
  return `${COUNT.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Specification §2. */
const TILES: readonly Tile[] = [
  {
    title: 'Total Users',
    icon: Users,
    figure: ({ users }) => COUNT.format(users),
    context: ({ admins }) => counted(admins, 'admin'),
  },
  {
    title: 'Active Subscriptions',
    icon: RefreshCw,
    figure: ({ activeSubscriptions }) => COUNT.format(activeSubscriptions),
    context: ({ subscriptions }) => `of ${COUNT.format(subscriptions)} total`,
  },
  {
    title: 'Total Revenue',
    icon: Receipt,
    figure: ({ revenue }) => formatCents(revenue),
    context: ({ payments }) => counted(payments, 'payment'),
  },
  {
    title: 'Total Usage Records',
    icon: Gauge,
    figure: ({ usageRecords }) => COUNT.format(usageRecords),
    context: () => 'one per resource and hour',
  },
];

/** The whole installation in four numbers. */
export function Totals() {
  const totals = trpc.admin.totals.useQuery(undefined, FRESH);
  if (!totals.data && totals.error) {
    return <LoadFailure query={totals} failure="Failed to load the totals" />;
  }
  return (
    <section aria-label="Totals" aria-busy={!totals.data}>
      <dl className="grid gap-4 min-[30rem]:grid-cols-2 xl:grid-cols-4">
        {TILES.map(({ title, icon: Icon, figure, context }) => (
          <Card key={title}>
            <dt className="flex items-center justify-between gap-3 font-medium text-muted">
              {title}
              <Icon aria-hidden="true" className="size-4 shrink-0 text-faint" />
            </dt>
            <Figure>{totals.data && figure(totals.data)}</Figure>
            <Context>{totals.data && context(totals.data)}</Context>
          </Card>
        ))}
      </dl>
    </section>
  );
}

function Figure({ children }: { children: ReactNode }) {
  return (
    <dd className="mt-2 h-8 truncate font-semibold text-2xl tabular-nums tracking-tight">
      {children ?? <Skeleton className="h-8 w-24" />}
    </dd>
  );
}

function Context({ children }: { children: ReactNode }) {
  return <dd className="mt-1 min-h-5 text-faint text-sm">{children ?? <Skeleton className="h-4 w-20" />}</dd>;
}
