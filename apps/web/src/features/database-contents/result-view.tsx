import type { StatementResult } from '@nephos/contracts';
import { Download } from 'lucide-react';
import { saveBlob } from '../../lib/save-blob.ts';
import { Button } from '../../ui/button.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { csvOf } from './csv.ts';
import { ValueCell } from './value-cell.tsx';

/** Rows that are drawn; all of them are in the file. */
const DRAWN = 500;

/** What a statement answered. */
export function ResultView({
  result: { columns, rows, more, command, milliseconds },
}: {
  result: StatementResult;
}) {
  const save = () =>
    saveBlob(
      new Blob(
        [
          csvOf(
            columns.map(({ name }) => name),
            rows,
          ),
        ],
        { type: 'text/csv;charset=utf-8' },
      ),
      'result.csv',
    );
  return (
    <section aria-label="Result">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-muted">
          {command} · {milliseconds} ms
          {more && ` · Only the first ${rows.length.toLocaleString('en-US')} rows are shown.`}
        </p>
        {rows.length > 0 && (
          <Button size="sm" onClick={save}>
            <Download aria-hidden="true" />
            CSV
          </Button>
        )}
      </div>
      {columns.length > 0 && (
        <Table label="Rows of the result">
          <TableHead>
            {columns.map(({ name, type }, place) => (
              <TableHeading key={place}>
                {name} <span className="font-normal text-faint">{type}</span>
              </TableHeading>
            ))}
          </TableHead>
          <TableBody>
            {rows.slice(0, DRAWN).map((row, index) => (
              <TableRow key={index}>
                {row.map((value, place) => (
                  <TableCell key={place} className="whitespace-nowrap">
                    <ValueCell value={value} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </section>
  );
}
