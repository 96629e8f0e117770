import { Fragment } from 'react';
import { Card } from '../../ui/card.tsx';
import type { RowsProps } from './row-table.tsx';

/** The table's rows where its columns have no room: each cell below the other, named by its heading. */
export function RowCards<Row extends { id: string }>({ label, columns, rows }: RowsProps<Row>) {
  return (
    <ul aria-label={label} className="flex flex-col gap-3">
      {rows.map((row) => (
        <li key={row.id}>
          <Card className="px-4! py-3!">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1">
              {columns.map(({ heading, cell }) => (
                <Fragment key={heading}>
                  <dt className="flex min-h-8 items-center text-muted text-sm">{heading}</dt>
                  <dd className="flex min-w-0 justify-end break-words text-right">{cell(row)}</dd>
                </Fragment>
              ))}
            </dl>
          </Card>
        </li>
      ))}
    </ul>
  );
}
