import type { VirtualAccount } from '@nephos/contracts';
import { formatCents } from '../../lib/money.ts';
import { Card } from '../../ui/card.tsx';

interface Figure {
  term: string;
  /** What it means. */
  note: string;
  cents: number;
}

/** What can be sent, what is on its way, and both together. A figure that needs more room takes a row of its own. */
export function AccountBalance({ account: { balance, pending } }: { account: VirtualAccount }) {
  const figures: Figure[] = [
    { term: 'Available', note: 'Can be sent now', cents: balance },
    { term: 'Held', note: 'On its way to other banks', cents: pending },
    { term: 'Total', note: 'Available and held', cents: balance + pending },
  ];
  return (
    <dl className="mb-8 flex flex-wrap gap-4 max-sm:[&>:first-child]:basis-full">
      {figures.map(({ term, note, cents }) => (
        <Card key={term} className="grow basis-36 px-5 py-4">
          <dt className="text-muted text-sm">{term}</dt>
          <dd className="mt-1 whitespace-nowrap font-semibold text-xl tracking-tight">
            {formatCents(cents)}
          </dd>
          <dd className="mt-0.5 text-faint text-sm">{note}</dd>
        </Card>
      ))}
    </dl>
  );
}
