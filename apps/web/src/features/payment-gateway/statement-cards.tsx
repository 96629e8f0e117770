import type { StatementLine } from '@nephos/contracts';
import { formatInstant } from '../../lib/format.ts';
import { formatCents, formatSigned } from '../../lib/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { KIND_NAMES } from './kind-names.ts';

/** The statement's rows where its columns have no room. */
export function StatementCards({ lines }: { lines: readonly StatementLine[] }) {
  return (
    <ul
      aria-label="Statement"
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
    >
      {lines.map(({ id, kind, reference, description, party, amount, balance, createdAt }) => (
        <li key={id} className="px-4 py-3.5">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <Badge>{KIND_NAMES[kind]}</Badge>
            <span className="break-all font-semibold tabular-nums">{formatSigned(amount)}</span>
          </div>
          <p className="mt-2 break-words font-medium">{party}</p>
          {description && <p className="break-words text-muted">{description}</p>}
          <p className="break-all text-faint text-sm">{reference}</p>
          <p className="mt-1.5 flex flex-wrap justify-between gap-x-4 text-faint text-sm">
            <time dateTime={createdAt}>{formatInstant(createdAt)}</time>
            <span className="tabular-nums">Balance {formatCents(balance)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
