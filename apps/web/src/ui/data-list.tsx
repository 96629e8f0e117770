import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ColumnHeadings, DataCards, DataTable, type RowsProps } from './data-rows.tsx';
import { MorePages, type MorePagesProps, type PagedList } from './more-pages.tsx';
import { Skeleton, SkeletonGroup } from './skeleton.tsx';
import { Table, TableBody, TableCell, TableRow } from './table.tsx';
import { useNarrow } from './use-narrow.ts';

/** Pixels below which the columns of a table have no room. */
const TABLE_WIDTH = 680;

const SKELETON_ROWS = ['first', 'second', 'third'];

export interface DataListProps<Row> extends Omit<RowsProps<Row>, 'rows'> {
  /** Undefined until they are there. */
  rows: readonly Row[] | undefined;
  /** What is loading, for screen readers; absent where `status` says it. */
  loading?: string;
  /** Why they could not be fetched: takes the place of the rows, or stands above those that were there before. */
  failure?: ReactNode;
  /** Stands where there are no rows. */
  empty?: ReactNode;
  /** What narrows the list: a search, a choice. */
  filter?: ReactNode;
  /** How far the list is, for example '3 users'. */
  status?: string;
  /** Whether other rows were asked for, which take the place of these as soon as they are there. */
  stale?: boolean | undefined;
  /** Where rows are fetched page by page. */
  more?: MorePagesProps;
  /**
   * What draws lists of any length, `WindowRows`: only rows in sight, and more are fetched as one scrolls. Columns are as
   * wide as their class names say. Given by who needs it, so that others do not load it.
   */
  windowed?: (props: WindowRowsProps<Row>) => ReactNode;
  /** Scrolls sideways where it has no room: for tables of few, short columns. */
  alwaysTable?: boolean;
}

/** Records: a table where its columns have room, cards where they have not. */
export function DataList<Row extends { id: string }>(props: DataListProps<Row>) {
  const { filter, status, stale, alwaysTable = false, more } = props;
  const [frame, narrow] = useNarrow<HTMLDivElement>(alwaysTable ? 0 : TABLE_WIDTH);
  return (
    <div ref={frame} aria-busy={stale || undefined}>
      {(filter !== undefined || status !== undefined) && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {filter}
          <p role="status" className="text-muted text-sm tabular-nums">
            {status}
          </p>
        </div>
      )}
      <Contents {...props} narrow={narrow} />
      {more && <MorePages {...more} />}
    </div>
  );
}

export interface WindowRowsProps<Row> extends RowsProps<Row> {
  /** Whether the columns have no room. */
  narrow: boolean;
  /** Whether there are more rows than those that were fetched. */
  hasMore: boolean;
  /** Called while the last of the rows are in sight. */
  onNearEnd: (() => void) | undefined;
}

interface ContentsProps<Row> extends DataListProps<Row> {
  narrow: boolean;
}

function Contents<Row extends { id: string }>(props: ContentsProps<Row>): ReactNode {
  const { rows, failure, empty, stale } = props;
  if (!rows) return failure || <LoadingRows {...props} />;
  if (rows.length === 0) return empty;
  return (
    <>
      {failure && <div className="mb-4">{failure}</div>}
      <div className={classNames('transition-opacity', stale && 'opacity-55')}>
        <Rows {...props} rows={rows} />
      </div>
    </>
  );
}

function Rows<Row extends { id: string }>({
  label,
  columns,
  rows,
  useBelow,
  narrow,
  windowed: Windowed,
  stale = false,
  more,
}: ContentsProps<Row> & RowsProps<Row>) {
  const some = { label, columns, rows, ...(useBelow && { useBelow }) };
  if (!Windowed) return narrow ? <DataCards {...some} /> : <DataTable {...some} />;
  const list = stale ? undefined : more?.list;
  return (
    <Windowed
      {...some}
      narrow={narrow}
      hasMore={list?.hasNextPage ?? false}
      onNearEnd={list && canGoOn(list) ? () => void list.fetchNextPage() : undefined}
    />
  );
}

/** Whether there is a next page and no reason to wait: what failed is asked for again by a person. */
function canGoOn({ hasNextPage, isFetchingNextPage, isFetchNextPageError }: PagedList): boolean {
  return hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
}

function LoadingRows<Row>({ label, columns, loading, narrow }: ContentsProps<Row>) {
  const shape = narrow ? <CardsSkeleton /> : <TableSkeleton label={loading ?? label} columns={columns} />;
  return loading === undefined ? shape : <SkeletonGroup label={loading}>{shape}</SkeletonGroup>;
}

/** Three rows in the shape of those that come, below the headings that they have. */
function TableSkeleton<Row>({ label, columns }: Pick<RowsProps<Row>, 'label' | 'columns'>) {
  return (
    <Table label={label}>
      <ColumnHeadings columns={columns} />
      <TableBody>
        {SKELETON_ROWS.map((row) => (
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
  );
}

function CardsSkeleton() {
  return (
    <div className="divide-y divide-line rounded-xl border border-line bg-surface">
      {SKELETON_ROWS.map((row) => (
        <div key={row} data-testid="skeleton-row" className="px-4 py-3">
          <Skeleton className="h-6 w-3/5" />
          <Skeleton className="mt-2 h-5" />
          <Skeleton className="mt-2 h-5" />
        </div>
      ))}
    </div>
  );
}
