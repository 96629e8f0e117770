import type { AdminTotals } from '@nephos/contracts';
import { Gauge, type LucideIcon, Receipt, RefreshCw, Users } from 'lucide-react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { formatCents } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import { useIsSelling } from '../../lib/use-is-selling.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tile } from '../../ui/tile.tsx';
import { FRESH } from './fresh.ts';

const COUNT = new Intl.NumberFormat('en');

interface Total {
  title: string;
  icon: LucideIcon;
  figure: (totals: AdminTotals) => string;
  /** What the figure is part of. */
  context: (totals: AdminTotals) => string;
  /** Whether it is about what is sold. */
  ofSales?: boolean;
}

function counted(count: number, noun: string): string {
  return `${COUNT.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const TILES: readonly Total[] = [
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
    ofSales: true,
  },
  {
    title: 'Total Revenue',
    icon: Receipt,
    figure: ({ revenue }) => formatCents(revenue),
    context: ({ payments }) => counted(payments, 'payment'),
    ofSales: true,
  },
  {
    title: 'Total Usage Records',
    icon: Gauge,
    figure: ({ usageRecords }) => COUNT.format(usageRecords),
    context: () => 'one per resource per hour',
  },
];

/** The whole installation in four numbers; in two, where nothing is sold. */
export function Totals() {
  const totals = trpc.admin.totals.useQuery(undefined, FRESH);
  const selling = useIsSelling();
  if (!totals.data && totals.error) {
    return <LoadFailure query={totals} failure="Failed to load totals" />;
  }
  return (
    <section aria-label="Totals" aria-busy={!totals.data}>
      {/* On a phone too, two beside each other: what they are about begins within the first screen. */}
      <dl className="grid grid-cols-[repeat(2,minmax(min-content,1fr))] gap-3 sm:gap-4 @4xl/page:grid-cols-4">
        {TILES.filter(({ ofSales }) => selling || !ofSales).map(({ title, icon: Icon, figure, context }) => (
          <Tile
            key={title}
            term={title}
            value={totals.data ? figure(totals.data) : <Skeleton className="my-0.5 h-6 w-24" />}
            note={totals.data ? context(totals.data) : <Skeleton className="my-0.5 h-4 w-20" />}
            aside={<Icon aria-hidden="true" className="size-4 text-faint max-[30rem]:hidden" />}
          />
        ))}
      </dl>
    </section>
  );
}
