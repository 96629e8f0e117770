import type { ResourceKind } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { RESOURCE_LOOKS } from './resource-look.ts';

export interface ResourceRow {
  key: string;
  kind: ResourceKind;
  name: ReactNode;
  /** At the right: what becomes of it. */
  note?: ReactNode;
}

export interface ResourceRowsProps {
  /** Accessible name of the list. */
  label: string;
  rows: readonly ResourceRow[];
}

/** Resources, one in each line: what is made, what was made, what goes. */
export function ResourceRows({ label, rows }: ResourceRowsProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line bg-sunken text-sm">
      {rows.map(({ key, kind, name, note }) => {
        const { icon: Icon, name: kindName } = RESOURCE_LOOKS[kind];
        return (
          <li key={key} className="flex min-h-9 items-center gap-2.5 px-3 py-1.5">
            <Icon aria-hidden="true" className="size-4 shrink-0 text-faint" />
            {/* Where both do not fit in one line, the kind goes below: a name is never cut short. */}
            <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-2.5">
              <span className="min-w-0 break-words">{name}</span>
              <span className="text-faint text-xs">{kindName}</span>
            </span>
            {note && <span className="w-14 shrink-0 text-right text-xs">{note}</span>}
          </li>
        );
      })}
    </ul>
  );
}
