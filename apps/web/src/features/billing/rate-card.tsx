import { RATE_CARD, USAGE_TYPES } from '@nephos/contracts/constants';
import { formatCost } from '../../lib/money.ts';
import { USAGE_MEANINGS, USAGE_NAMES, unitOf } from '../../lib/usage-units.ts';
import { RecordList } from './record-list.tsx';
import { Section } from './section.tsx';

/** What usage is worth, and that it is not what one pays. */
export function RateCard({ billed }: { billed: boolean }) {
  return (
    <Section
      title="Usage Rates"
      description={`Usage is measured and shown at these rates, so that you see what each resource is worth. It is not charged${billed ? ': your card pays the price of your plan and nothing else' : ''}.`}
    >
      <RecordList label="Usage rates">
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
      </RecordList>
      <p className="mt-3 text-faint text-sm">A GB-hour is a gigabyte kept for an hour.</p>
    </Section>
  );
}
