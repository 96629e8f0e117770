import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import type { ChartRows } from './chart-tables.ts';

export interface ChartTableProps extends ChartRows {
  label: string;
}

export function ChartTable({ label, columns, rows }: ChartTableProps) {
  return (
    <Table label={label}>
      <TableHead>
        {columns.map((column, index) => (
          <TableHeading key={column} className={index > 0 ? 'text-right' : ''}>
            {column}
          </TableHeading>
        ))}
      </TableHead>
      <TableBody>
        {rows.map(([name = '', ...figures]) => (
          <TableRow key={name}>
            <th scope="row" className="h-10 whitespace-nowrap px-4 font-normal">
              {name}
            </th>
            {figures.map((figure, index) => (
              <TableCell key={columns[index + 1]} className="h-10! whitespace-nowrap text-right">
                {figure}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
