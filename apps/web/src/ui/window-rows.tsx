import { Fragment, memo } from 'react';
import type { WindowRowsProps } from './data-list.tsx';
import { ColumnHeadings, nothing, RowCard, TableRows } from './data-rows.tsx';
import { Table } from './table.tsx';
import { useRowWindow } from './use-row-window.ts';

/** Pixels of a row that was not drawn yet. */
const TABLE_ROW = 49;
const CARD_ROW = 121;

// Scrolling draws the frame anew: rows that stay are left as they are. The casts, since `memo` forgets that a component
// is generic.
const MemoTableRows = memo(TableRows) as typeof TableRows;
const MemoRowCard = memo(RowCard) as typeof RowCard;

/** Rows of any number, of which only those in sight are there: a table, or compact cards where that has no room. */
export function WindowRows<Row extends { id: string }>({ narrow, ...props }: WindowRowsProps<Row>) {
  return narrow ? <WindowCards {...props} /> : <WindowTable {...props} />;
}

type LayoutProps<Row> = Omit<WindowRowsProps<Row>, 'narrow'>;

function WindowTable<Row extends { id: string }>({
  label,
  columns,
  rows,
  useBelow = nothing,
  hasMore,
  onNearEnd,
}: LayoutProps<Row>) {
  const { frame, shown, rest, measure, keep } = useRowWindow<HTMLDivElement>({
    rows,
    rowHeight: TABLE_ROW,
    onNearEnd,
  });
  return (
    <div ref={frame}>
      <Table label={label} fixed rowCount={hasMore ? -1 : rows.length + 1}>
        <ColumnHeadings columns={columns} />
        {shown.map(({ index, gap }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <Fragment key={row.id}>
              {gap > 0 && <Space height={gap} />}
              <tbody
                ref={measure}
                data-index={index}
                className="border-line not-first-of-type:border-t"
                onFocus={() => keep(row.id)}
              >
                <MemoTableRows row={row} columns={columns} useBelow={useBelow} rowIndex={index + 2} />
              </tbody>
            </Fragment>
          );
        })}
        {rest > 0 && <Space height={rest} />}
      </Table>
    </div>
  );
}

function Space({ height }: { height: number }) {
  return (
    <tbody aria-hidden="true">
      <tr>
        <td style={{ height }} className="p-0" />
      </tr>
    </tbody>
  );
}

function WindowCards<Row extends { id: string }>({
  label,
  columns,
  rows,
  useBelow = nothing,
  hasMore,
  onNearEnd,
}: LayoutProps<Row>) {
  const { frame, shown, rest, measure, keep } = useRowWindow<HTMLUListElement>({
    rows,
    rowHeight: CARD_ROW,
    onNearEnd,
  });
  return (
    <ul
      // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
      role="list"
      ref={frame}
      aria-label={label}
      style={{ paddingBottom: rest }}
      className="divide-y divide-line rounded-xl border border-line bg-surface"
    >
      {shown.map(({ index, gap }) => {
        const row = rows[index];
        return (
          row && (
            <li
              // biome-ignore lint/a11y/noRedundantRoles: see above
              role="listitem"
              key={row.id}
              ref={measure}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : rows.length}
              style={{ marginTop: gap }}
              onFocus={() => keep(row.id)}
            >
              <MemoRowCard row={row} columns={columns} useBelow={useBelow} />
            </li>
          )
        );
      })}
    </ul>
  );
}
