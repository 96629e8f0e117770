import type { BillingSummary } from '@nephos/contracts';
import { formatRounded } from '../../../lib/money.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Tile } from '../../../ui/tile.tsx';
import { type CostFigures, costFigures, type Spending } from './figures.ts';
import { PaymentMethodTile } from './payment-method-tile.tsx';

const PERCENT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

function changeOf({ change }: Spending): string {
  return change === null ? 'No charges last month' : `${PERCENT.format(change)}% from last month`;
}

/** Four figures; the last two are always real. */
export function SummaryTiles({ summary }: { summary: BillingSummary }) {
  const figures = costFigures(summary);
  return (
    <dl className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-4">
      <ChargeTiles figures={figures} />
      <Tile
        term="Active Resources"
        value={summary.activeResources.toLocaleString('en-US')}
        note="Apps, databases, files and images"
      />
      <PaymentMethodTile card={summary.paymentMethod} />
    </dl>
  );
}

interface FiguresProps {
  figures: CostFigures;
}

/** What was charged, with what usage is worth below it. */
function ChargeTiles({ figures: { sample, charged, usage } }: FiguresProps) {
  const tiles = [
    ['Current Month', charged.currentMonth, changeOf(charged), usage.currentMonth],
    ['Total Spend (6mo)', charged.total, sample ? 'Last six months' : 'Charged to your card', usage.total],
  ] as const;
  return tiles.map(([term, cents, note, used]) => (
    <Tile
      key={term}
      term={term}
      value={formatRounded(cents)}
      note={
        <>
          <span className="block">{note}</span>
          <span className="mt-2 block">
            {sample ? <SampleLabel /> : `Metered usage: ${formatRounded(used)}, not charged`}
          </span>
        </>
      }
    />
  ));
}

/** Marks figures that are made up, since nothing of the account was measured yet. */
export function SampleLabel() {
  return (
    <span title="Example figures, until you have usage or charges of your own.">
      <Badge>Sample data</Badge>
    </span>
  );
}
