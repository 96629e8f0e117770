import type { BillingSummary } from '@nephos/contracts';
import { formatRounded } from '../../../lib/money.ts';
import { Badge } from '../../../ui/badge.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Tile } from '../../../ui/tile.tsx';
import { costFigures } from './figures.ts';
import { PaymentMethodTile } from './payment-method-tile.tsx';

const PERCENT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

function changeOf(percent: number | null): string {
  return percent === null
    ? 'Nothing last month to compare with'
    : `${PERCENT.format(percent)}% from last month`;
}

export interface SummaryTilesProps {
  summary: BillingSummary;
  billed: boolean;
}

/** Four figures; the last two are always real. */
export function SummaryTiles({ summary, billed }: SummaryTilesProps) {
  const showsCard = billed || summary.paymentMethod !== null;
  const { sample, currentMonth, percentChange, totalSpend } = costFigures(summary);
  return (
    <dl
      className={classNames(
        'grid gap-4 sm:grid-cols-2',
        showsCard ? '@4xl/page:grid-cols-4' : '@4xl/page:grid-cols-3',
      )}
    >
      <Tile
        term="Current Month"
        value={formatRounded(currentMonth)}
        note={<Note sample={sample}>{changeOf(percentChange)}</Note>}
      />
      <Tile
        term="Total Spend (6mo)"
        value={formatRounded(totalSpend)}
        note={<Note sample={sample}>Usage of the last six months</Note>}
      />
      <Tile
        term="Active Resources"
        value={summary.activeResources.toLocaleString('en-US')}
        note="Apps, databases, files and images"
      />
      {showsCard && <PaymentMethodTile card={summary.paymentMethod} />}
    </dl>
  );
}

function Note({ sample, children }: { sample: boolean; children: string }) {
  return (
    <>
      <span className="block">{children}</span>
      {sample && (
        <span className="mt-2 block">
          <SampleLabel />
        </span>
      )}
    </>
  );
}

/** Marks figures that are made up, since nothing of the account was measured yet. */
export function SampleLabel() {
  return (
    <span title="Nothing of yours was measured yet: these are the figures of an example.">
      <Badge>Sample data</Badge>
    </span>
  );
}
