import type { UsageRecord } from '@nephos/contracts';
import { formatCost } from '../../lib/money.ts';
import { formatAmount, USAGE_NAMES } from '../../lib/usage-units.ts';
import { RecordList } from './record-list.tsx';
import { When } from './when.tsx';

/** The records where the columns of their table have no room. */
export function UsageCards({ records }: { records: readonly UsageRecord[] }) {
  return (
    <RecordList label="Usage records">
      {records.map(({ id, resourceType, amount, cost, timestamp }) => (
        <li key={id} className="px-4 py-3">
          <p className="flex flex-wrap justify-between gap-x-4 font-medium">
            <span>{USAGE_NAMES[resourceType]}</span>
            <span className="tabular-nums">{formatCost(cost)}</span>
          </p>
          <p className="mt-0.5 flex flex-wrap justify-between gap-x-4 text-muted text-sm">
            <span className="tabular-nums">{formatAmount(resourceType, amount)}</span>
            <When instant={timestamp} />
          </p>
        </li>
      ))}
    </RecordList>
  );
}
