import type { Outputs } from '@nephos/contracts';
import { FILTER_OPERATORS } from '@nephos/contracts/constants';
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/input.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeading, TableRow } from '../../ui/table.tsx';
import { RowDialog } from './row-dialog.tsx';
import { StatementDialog } from './statement-dialog.tsx';
import type { TableName } from './structure-view.tsx';
import { ValueCell } from './value-cell.tsx';

type Page = Outputs['databaseContents']['rows'];
export type Row = Page['rows'][number];
type Operator = (typeof FILTER_OPERATORS)[number];

interface Sort {
  sort: string;
  order: 'asc' | 'desc';
}

interface Filter {
  column: string;
  operator: Operator;
  value: string;
}

const takesValue = (operator: Operator) => !operator.startsWith('is ');

/** The rows of a table, which can be narrowed, sorted and changed. */
export function TableRows({ name }: { name: TableName }) {
  const [sort, setSort] = useState<Sort>();
  const [filter, setFilter] = useState<Filter>();
  const [editing, setEditing] = useState<Row | 'new'>();
  const structure = trpc.databaseContents.table.useQuery(name);
  const pages = trpc.databaseContents.rows.useInfiniteQuery(
    { ...name, ...sort, ...filter },
    { getNextPageParam: ({ next }) => next, staleTime: 0 },
  );
  const failed = structure.error ? structure : pages;
  const columns = structure.data?.columns;
  const first = pages.data?.pages[0];
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        {columns && <FilterForm columns={columns.map((column) => column.name)} onChange={setFilter} />}
        {columns && structure.data?.kind.endsWith('table') && (
          <Button onClick={() => setEditing('new')}>
            <Plus aria-hidden="true" />
            Add row
          </Button>
        )}
      </div>
      {failed.error && <LoadFailure query={failed} failure="Failed to load the rows" />}
      {!failed.error && (!first || !columns) && (
        <SkeletonGroup label="Loading the rows">
          <Skeleton className="h-72" />
        </SkeletonGroup>
      )}
      {first && columns && (
        <>
          <RowsTable
            name={name}
            columns={first.columns}
            rows={pages.data?.pages.flatMap(({ rows }) => rows) ?? []}
            sort={sort}
            onSort={setSort}
            onEdit={setEditing}
          />
          {first.rows.length === 0 && (
            <p className="mt-4 text-center text-muted">{filter ? 'No rows match.' : 'The table is empty.'}</p>
          )}
          {first.more && (
            <Notice
              className="mt-4"
              title="Only the first rows are shown. Write a statement to see the others."
            />
          )}
          <MorePages list={pages} failure="Couldn't load more rows." />
        </>
      )}
      {editing && columns && (
        <RowDialog
          name={name}
          columns={columns}
          row={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}

interface FilterFormProps {
  columns: readonly string[];
  onChange: (filter: Filter | undefined) => void;
}

function FilterForm({ columns, onChange }: FilterFormProps) {
  const [column, setColumn] = useState(columns[0] ?? '');
  const [operator, setOperator] = useState<Operator>('=');
  const [value, setValue] = useState('');
  const [active, setActive] = useState(false);
  function submit(event: FormEvent) {
    event.preventDefault();
    setActive(true);
    onChange({ column, operator, value });
  }
  function clear() {
    setActive(false);
    setValue('');
    onChange(undefined);
  }
  return (
    <form onSubmit={submit} aria-label="Filter" className="flex min-w-0 flex-wrap gap-2">
      <div className="w-40">
        <Select
          aria-label="Column"
          value={column}
          onValueChange={setColumn}
          options={columns.map((one) => ({ value: one, label: one }))}
        />
      </div>
      <div className="w-32">
        <Select
          aria-label="Comparison"
          value={operator}
          onValueChange={setOperator}
          options={FILTER_OPERATORS.map((one) => ({ value: one, label: one }))}
        />
      </div>
      {takesValue(operator) && (
        <div className="w-40">
          <Input aria-label="Value" value={value} onChange={({ target }) => setValue(target.value)} />
        </div>
      )}
      <Button type="submit">Filter</Button>
      {active && (
        <Button variant="ghost" onClick={clear}>
          Clear
        </Button>
      )}
    </form>
  );
}

interface RowsTableProps {
  name: TableName;
  columns: readonly string[];
  rows: readonly Row[];
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
  onEdit: (row: Row) => void;
}

function RowsTable({ name, columns, rows, sort, onSort, onEdit }: RowsTableProps) {
  const changeable = rows.some(({ key }) => key !== null);
  return (
    <Table label="Rows">
      <TableHead>
        {columns.map((column) => (
          <SortHeading key={column} column={column} sort={sort} onSort={onSort} />
        ))}
        {changeable && (
          <TableHeading>
            <span className="sr-only">Actions</span>
          </TableHeading>
        )}
      </TableHead>
      <TableBody>
        {rows.map((row, index) => (
          // Rows without a key have nothing else that tells them apart.
          <TableRow key={row.key ? row.key.join('\u0000') : index}>
            {columns.map((column, place) => (
              <TableCell key={column} className="whitespace-nowrap">
                <ValueCell value={row.values[place] ?? null} isCut={row.cut.includes(place)} />
              </TableCell>
            ))}
            {changeable && (
              <TableCell className="whitespace-nowrap text-right">
                <RowActions name={name} row={row} onEdit={() => onEdit(row)} />
              </TableCell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

interface SortHeadingProps extends Pick<RowsTableProps, 'sort' | 'onSort'> {
  column: string;
}

function SortHeading({ column, sort, onSort }: SortHeadingProps) {
  const order = sort?.sort === column ? sort.order : undefined;
  const Arrow = order === 'desc' ? ArrowDown : ArrowUp;
  /** Upwards, downwards, and as it was. */
  function turn() {
    if (order === 'desc') onSort(undefined);
    else onSort({ sort: column, order: order ? 'desc' : 'asc' });
  }
  return (
    <TableHeading aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}>
      <button
        type="button"
        onClick={turn}
        className="inline-flex items-center gap-1 rounded-sm hover:text-fg"
      >
        {column}
        {order && <Arrow aria-hidden="true" className="size-3.5" />}
      </button>
    </TableHeading>
  );
}

interface RowActionsProps {
  name: TableName;
  row: Row;
  onEdit: () => void;
}

function RowActions({ name, row: { key }, onEdit }: RowActionsProps) {
  const [statement, setStatement] = useState<string>();
  const write = useAction(trpc.databaseContents.changeStatement.useMutation(), {
    failure: 'Failed to delete the row',
    serverSpeaks: true,
    leave: ({ sql }) => setStatement(sql),
  });
  if (!key) return null;
  const which = key.join(', ');
  return (
    <>
      <IconButton label={`Edit row ${which}`} size="sm" onClick={onEdit}>
        <Pencil aria-hidden="true" />
      </IconButton>
      <IconButton
        label={`Delete row ${which}`}
        size="sm"
        disabled={write.pending}
        onClick={() => write.run({ ...name, action: 'delete', key })}
      >
        <Trash2 aria-hidden="true" />
      </IconButton>
      {statement && (
        <StatementDialog
          name={name}
          title="Delete the row?"
          label="Delete row"
          done="Row deleted"
          statement={statement}
          onClose={() => setStatement(undefined)}
        />
      )}
    </>
  );
}
