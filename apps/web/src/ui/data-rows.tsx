import { Fragment, type ReactNode } from 'react';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from './table.tsx';

/** A column of a table; where the table has no room, a part of each row's card. */
export interface Column<Row> {
  /** Also the React key, so unique. */
  heading: string;
  /** For headings that are heard alone, such as that of a row's buttons. */
  hideHeading?: boolean;
  /** Null: there is nothing to say, and the card leaves the heading out. */
  cell: (row: Row) => ReactNode;
  /** Width and alignment of heading and cell in the table. */
  className?: string;
  /** Size of what stands in for a cell while it loads; absent, that of a date. */
  skeleton?: string;
  /**
   * Where it stands on the card: at the left or the right of its first line, below that over the whole width, at its
   * end, or nowhere. Absent, it is a line of its own that begins with the heading.
   */
  card?: 'title' | 'aside' | 'line' | 'end' | 'none';
}

export interface RowsProps<Row> {
  /** Accessible name: what the rows are. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** A hook, called for each row: what stands below it, such as the answer to a question about it. */
  useBelow?: (row: Row) => ReactNode;
}

interface RowProps<Row> extends Required<Pick<RowsProps<Row>, 'columns' | 'useBelow'>> {
  row: Row;
  /** Its place in the table, the headings' being 1, where not all of its rows are drawn. */
  rowIndex?: number;
}

/** For rows with nothing below them. */
export function nothing(): ReactNode {
  return null;
}

/** Rows below the headings of their columns. */
export function DataTable<Row extends { id: string }>({
  label,
  columns,
  rows,
  useBelow = nothing,
}: RowsProps<Row>) {
  return (
    <Table label={label}>
      <ColumnHeadings columns={columns} />
      <TableBody>
        {rows.map((row) => (
          <TableRows key={row.id} row={row} columns={columns} useBelow={useBelow} />
        ))}
      </TableBody>
    </Table>
  );
}

export function ColumnHeadings<Row>({ columns }: Pick<RowsProps<Row>, 'columns'>) {
  return (
    <TableHead>
      {columns.map(({ heading, hideHeading, className }) => (
        <TableHeading key={heading} className={className}>
          {hideHeading ? <span className="sr-only">{heading}</span> : heading}
        </TableHeading>
      ))}
    </TableHead>
  );
}

/** A row, and what stands below it. */
export function TableRows<Row>({ row, columns, useBelow, rowIndex }: RowProps<Row>) {
  const below = useBelow(row);
  return (
    <>
      <TableRow aria-rowindex={rowIndex} className={below ? 'border-b-0!' : undefined}>
        {columns.map(({ heading, cell, className }) => (
          <TableCell key={heading} className={className}>
            {cell(row)}
          </TableCell>
        ))}
      </TableRow>
      {below && (
        <tr>
          <td colSpan={columns.length} className="border-t-0! px-2 pb-2">
            {below}
          </td>
        </tr>
      )}
    </>
  );
}

/** Rows in one frame, each with its cells below each other. */
export function DataCards<Row extends { id: string }>({
  label,
  columns,
  rows,
  useBelow = nothing,
}: RowsProps<Row>) {
  return (
    <ul
      // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
      role="list"
      aria-label={label}
      className="divide-y divide-line rounded-xl border border-line bg-surface"
    >
      {rows.map((row) => (
        // biome-ignore lint/a11y/noRedundantRoles: see above
        <li role="listitem" key={row.id}>
          <RowCard row={row} columns={columns} useBelow={useBelow} />
        </li>
      ))}
    </ul>
  );
}

/** A row's cells below each other. */
export function RowCard<Row>({ row, columns, useBelow }: RowProps<Row>) {
  const below = useBelow(row);
  const at = (place: Column<Row>['card']) => columns.filter(({ card }) => card === place);
  const facts = at(undefined).flatMap(({ heading, cell }) => {
    const content = cell(row);
    return content === null ? [] : [{ heading, content }];
  });
  return (
    <div className="flex flex-col gap-1 px-4 py-3">
      <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 empty:hidden">
        <Named row={row} columns={at('title')} className="min-w-0 break-words font-medium" />
        <Named row={row} columns={at('aside')} className="ml-auto" />
        <Named row={row} columns={at('line')} className="min-w-0 basis-full break-words" />
      </dl>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 empty:hidden">
        {facts.map(({ heading, content }) => (
          <Fragment key={heading}>
            <dt className="flex min-h-6 items-center text-muted text-sm">{heading}</dt>
            <dd className="flex min-w-0 justify-end break-words text-right tabular-nums">{content}</dd>
          </Fragment>
        ))}
      </dl>
      {below}
      {at('end').map(({ heading, cell }) => (
        <Fragment key={heading}>{cell(row)}</Fragment>
      ))}
    </div>
  );
}

interface NamedProps<Row> extends Pick<RowProps<Row>, 'row' | 'columns'> {
  className: string;
}

/** Cells that show by themselves what they are: their headings are heard alone. */
function Named<Row>({ row, columns, className }: NamedProps<Row>) {
  return columns.map(({ heading, cell }) => (
    <div key={heading} className={className}>
      <dt className="sr-only">{heading}</dt>
      <dd>{cell(row)}</dd>
    </div>
  ));
}
