import { ChevronRight } from 'lucide-react';
import { Card, CardHeader } from './card.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from './table.tsx';
import { type ChartSeries, TimeChart, type TimeChartProps } from './time-chart.tsx';

/** A chart with its heading. */
export interface Chart extends Omit<TimeChartProps, 'labels'> {
  title: string;
  description: string;
}

/** Lines over time, and the same figures as a table. */
export function ChartCard({ chart, labels }: { chart: Chart; labels: readonly string[] }) {
  return (
    <Card className="flex min-w-0 flex-col">
      <CardHeader title={chart.title} description={chart.description} />
      <div className="mt-4">
        <TimeChart {...chart} labels={labels} />
      </div>
      <details className="group mt-3">
        <summary className="flex w-fit cursor-default list-none items-center gap-1.5 rounded-sm text-muted text-sm hover:text-fg [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 transition-transform group-open:rotate-90"
          />
          {chart.title} as a table
        </summary>
        <div className="mt-3 max-h-72 overflow-y-auto">
          <Numbers title={chart.title} labels={labels} series={chart.series} format={chart.format} />
        </div>
      </details>
    </Card>
  );
}

interface NumbersProps {
  title: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
}

/** The same figures, newest first. */
function Numbers({ title, labels, series, format }: NumbersProps) {
  return (
    <Table label={title}>
      <TableHead>
        <TableHeading>Time</TableHeading>
        {series.map(({ name }) => (
          <TableHeading key={name} className="text-right">
            {name}
          </TableHeading>
        ))}
      </TableHead>
      <TableBody>
        {labels
          .map((_, index) => labels.length - 1 - index)
          .map((place) => (
            <TableRow key={place}>
              <th scope="row" className="h-9 whitespace-nowrap px-4 font-normal">
                {labels[place]}
              </th>
              {series.map(({ name, values }) => {
                const value = values[place] ?? null;
                return (
                  <TableCell key={name} className="h-9! whitespace-nowrap text-right tabular-nums">
                    {value === null ? '–' : format(value)}
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
      </TableBody>
    </Table>
  );
}
