import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatRounded } from '../../../lib/money.ts';
import { USAGE_NAMES } from '../../../lib/usage-units.ts';
import { Card, CardHeader } from '../../../ui/card.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../../ui/table.tsx';
import type { CostFigures, CostLine, UsageFigures } from './figures.ts';
import { SampleLabel } from './summary-tiles.tsx';

export interface ChartCardProps {
  title: string;
  description: string;
  sample: boolean;
  /** The same figures in words. */
  table: ReactNode;
  /** The chart, which comes later. */
  children: ReactNode;
}

/** A chart, and the same figures as a table. */
export function ChartCard({ title, description, sample, table, children }: ChartCardProps) {
  return (
    <Card className="flex min-w-0 flex-col">
      <CardHeader title={title} description={description} aside={sample && <SampleLabel />} />
      <div className="mt-4 min-h-60">{children}</div>
      <details className="group mt-3">
        <summary className="flex w-fit cursor-default list-none items-center gap-1.5 rounded-sm text-muted text-sm hover:text-fg [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 transition-transform group-open:rotate-90"
          />
          {title} as a table
        </summary>
        <div className="mt-3 max-h-72 overflow-y-auto">{table}</div>
      </details>
    </Card>
  );
}

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

/** A chart's figures as a table: the first column names the row. */
interface ChartRows {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

export function costTable({ months }: CostFigures, lines: readonly CostLine[]): ChartRows {
  return {
    columns: ['Month', ...lines.map(({ name }) => name)],
    rows: months.map((month) => [month.label, ...lines.map(({ key }) => formatRounded(month[key]))]),
  };
}

/** With a history, the newest day first. */
export function usageTable(usage: UsageFigures): ChartRows {
  if (usage.sample) {
    return {
      columns: ['Resource', 'Usage'],
      rows: usage.resources.map(({ resource, percent }) => [resource, `${percent}%`]),
    };
  }
  const { types, days } = usage;
  return {
    columns: ['Day', ...types.map((type) => USAGE_NAMES[type])],
    rows: days.toReversed().map((day) => [day.label, ...types.map((type) => formatRounded(day[type]))]),
  };
}
