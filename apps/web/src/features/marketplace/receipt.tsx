import type { ReceiptEntry } from '@nephos/contracts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ResourceLink } from './resource-link.tsx';
import { ResourceRows } from './resource-rows.tsx';

/** So many rows are shown on a card before one asks for all. */
const FEW = 4;

export interface ReceiptProps {
  /** Of the item, for assistive technology. */
  name: string;
  receipt: readonly ReceiptEntry[];
}

/** What an installation made, each leading to its page. */
export function Receipt({ name, receipt }: ReceiptProps) {
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
