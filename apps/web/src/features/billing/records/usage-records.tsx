import type { UsageRecord } from '@nephos/contracts';
import { RATE_CARD, USAGE_TYPES } from '@nephos/contracts/constants';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Gauge } from 'lucide-react';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../../lib/keyset-pages.ts';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { formatCost } from '../../../lib/money.ts';
import { trpc } from '../../../lib/trpc.ts';
import { formatAmount, USAGE_MEANINGS, USAGE_NAMES, unitOf } from '../../../lib/usage-units.ts';
import { Badge } from '../../../ui/badge.tsx';
import { DataList } from '../../../ui/data-list.tsx';
import type { Column } from '../../../ui/data-rows.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Section, When } from './section.tsx';

const COLUMNS: readonly Column<UsageRecord>[] = [
  {
    heading: 'Resource type',
    className: 'whitespace-nowrap font-medium',
    cell: ({ resourceType }) => USAGE_NAMES[resourceType],
    skeleton: 'h-5 w-28',
    card: 'title',
  },
  {
    heading: 'Resource',
    className: 'w-full max-w-0',
    cell: (record) => <UsedResource record={record} />,
    card: 'line',
  },
  {
    heading: 'Amount',
    className: 'whitespace-nowrap text-right',
    cell: ({ resourceType, amount }) => formatAmount(resourceType, amount),
    skeleton: 'ml-auto h-5 w-20',
  },
  {
    heading: 'Cost',
    className: 'whitespace-nowrap text-right font-medium',
    cell: ({ cost }) => <span className="font-medium tabular-nums">{formatCost(cost)}</span>,
    skeleton: 'ml-auto h-5 w-16',
    card: 'aside',
  },
  {
    heading: 'Date',
    className: 'whitespace-nowrap text-muted',
    cell: ({ timestamp }) => <When instant={timestamp} />,
    skeleton: 'h-5 w-36',
  },
];

/** Where nothing is sold, nothing has a price. */
const UNPRICED = COLUMNS.filter(({ heading }) => heading !== 'Cost');

/** The page of the console that shows what was used. */
function placeOf({ resourceType, resourceId }: UsageRecord): Pick<LinkProps, 'to' | 'params'> {
  switch (resourceType) {
    case 'deployment':
    case 'egress':
      return { to: '/projects/$projectId', params: { projectId: resourceId ?? '' } };
    case 'database':
      return { to: '/databases/$databaseId', params: { databaseId: resourceId ?? '' } };
    case 'container':
      return { to: '/containers' };
    case 'storage':
      return { to: '/storage' };
  }
}

/** What was used, by its name; leads to it while it is there. */
function UsedResource({ record }: { record: UsageRecord }) {
  const { resourceId, resourceName, resourceDeleted } = record;
  const name = resourceId === null ? 'All files' : (resourceName ?? resourceId);
  if (resourceDeleted) {
    return (
      <span className="flex min-w-0 items-center gap-2">
        <span title={name} className="truncate text-muted">
          {name}
        </span>
        <Badge>Deleted</Badge>
      </span>
    );
  }
  return (
    <Link
      {...placeOf(record)}
      title={name}
      className="block truncate rounded-sm underline-offset-4 hover:underline"
    >
      {name}
    </Link>
  );
}

/** What was measured, resource by resource and hour by hour, newest first. */
export function UsageRecords({ priced }: { priced: boolean }) {
  const list = trpc.billing.usage.useInfiniteQuery(FIRST_PAGE, KEYSET_PAGES);
  return (
    <Section title="Usage Records" description="Hourly usage of each resource.">
      <DataList
        label="Usage records"
        columns={priced ? COLUMNS : UNPRICED}
        rows={list.data?.pages.flat()}
        loading="Loading usage records"
        failure={
          list.isLoadingError && <LoadFailure query={list} failure="Failed to load the usage records" />
        }
        empty={
          <EmptyState
            icon={Gauge}
            title="No usage records available yet"
            description="Records are added every hour for your apps, databases, images and files."
          />
        }
        more={nextPages(list, 'usage records')}
      />
    </Section>
  );
}

/** What usage is worth, and that it is not what one pays. */
export function RateCard() {
  return (
    <Section
      title="Usage Rates"
      description="Usage is metered at these rates to show what each resource would cost. You aren't charged for usage, only for your plan."
    >
      <ul
        aria-label="Usage Rates"
        className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      >
        {USAGE_TYPES.map((type) => (
          <li key={type} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-0.5 px-4 py-3">
            <span>
              <span className="font-medium">{USAGE_NAMES[type]}</span>
              <span className="block text-muted text-sm">{USAGE_MEANINGS[type]}</span>
            </span>
            <span className="tabular-nums">
              {formatCost(RATE_CARD[type].cents)} per {unitOf(type)}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-faint text-sm">One GB-hour is 1 GB stored for one hour.</p>
    </Section>
  );
}
