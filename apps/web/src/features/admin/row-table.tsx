import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import type { Column } from './column.ts';

export interface RowsProps<Row> {
  /** Accessible name: what the rows are. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

export function RowTable<Row extends { id: string }>({ label, columns, rows }: RowsProps<Row>) {
  return (
    <Table label={label}>
      <ColumnHeadings columns={columns} />
      <TableBody>
        {rows.map((row) => (
          <TableRow key={row.id}>
            {columns.map(({ heading, cell, className }) => (
              <TableCell key={heading} className={className}>
                {cell(row)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

export function ColumnHeadings<Row>({ columns }: Pick<RowsProps<Row>, 'columns'>) {
  return (
    <TableHead>
      {columns.map(({ heading, className }) => (
        <TableHeading key={heading} className={className}>
          {heading}
        </TableHeading>
      ))}
    </TableHead>
  );
}
