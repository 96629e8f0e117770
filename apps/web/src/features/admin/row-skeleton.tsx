import { TableOrCards } from '../../lib/table-or-cards.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableRow } from '../../ui/table.tsx';
import { ColumnHeadings, type RowsProps } from './row-table.tsx';

const ROWS = ['first', 'second', 'third'];

/** Three rows or cards in the shape of those that come. That they are loading is said above them. */
export function RowSkeleton<Row>({ label, columns }: Omit<RowsProps<Row>, 'rows'>) {
  return (
    <TableOrCards
      table={
        <Table label={label}>
          <ColumnHeadings columns={columns} />
          <TableBody>
            {ROWS.map((row) => (
              <TableRow key={row} data-testid="skeleton-row">
                {columns.map(({ heading, className, skeleton = 'h-5 w-24' }) => (
                  <TableCell key={heading} className={className}>
                    <Skeleton className={skeleton} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      }
      cards={
        <div className="flex flex-col gap-3">
          {ROWS.map((row) => (
            <Skeleton key={row} className="h-52 rounded-xl" />
          ))}
        </div>
      }
    />
  );
}
