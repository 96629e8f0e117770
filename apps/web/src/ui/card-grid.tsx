import type { ReactNode } from 'react';

export interface CardGridProps<Row> {
  /** Accessible name: what the cards are. */
  label: string;
  rows: readonly Row[];
  children: (row: Row) => ReactNode;
}

/** Things as cards, in one, two or three columns: for as many as one looks at one by one. */
export function CardGrid<Row extends { id: string }>({ label, rows, children }: CardGridProps<Row>) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
    <ul role="list" aria-label={label} className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
      {rows.map((row) => (
        // biome-ignore lint/a11y/noRedundantRoles: see above
        <li key={row.id} role="listitem" className="min-w-0">
          {children(row)}
        </li>
      ))}
    </ul>
  );
}
