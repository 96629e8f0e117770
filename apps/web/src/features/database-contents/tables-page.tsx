import type { DatabaseTable } from '@nephos/contracts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Eye, Table2 } from 'lucide-react';
import { formatSize } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { PAGE_CHOICE } from '../../shell/page-tabs.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { StructureView } from './structure-view.tsx';
import { TableRows } from './table-rows.tsx';

const route = getRouteApi('/_console/databases/$databaseId/tables');

/** What is in a database: its tables, their rows and structure. */
export function TablesPage() {
  const { databaseId } = route.useParams();
  const refusal = useRefusal('secrets');
  const tables = trpc.databaseContents.tables.useQuery(
    { id: databaseId },
    { staleTime: 0, enabled: refusal === undefined },
  );
  if (refusal) return <Notice tone="warning" title={refusal} />;
  if (tables.error) return <LoadFailure query={tables} failure="Failed to load the tables" />;
  if (!tables.data) {
    return (
      <SkeletonGroup label="Loading the tables">
        <Skeleton className="h-96" />
      </SkeletonGroup>
    );
  }
  return <Tables databaseId={databaseId} tables={tables.data} />;
}

function Tables({ databaseId, tables }: { databaseId: string; tables: DatabaseTable[] }) {
  const search = route.useSearch();
  const named = tables.find(({ schema, name }) => schema === search.schema && name === search.table);
  const shown = named ?? (search.table === undefined ? tables[0] : undefined);
  if (tables.length === 0) {
    return (
      <EmptyState
        icon={Table2}
        title="No tables yet"
        description="Tables appear here once your app, or a statement, creates them."
        action={
          <Link to="/databases/$databaseId/sql" params={{ databaseId }} className={buttonStyles()}>
            Write a statement
          </Link>
        }
      />
    );
  }
  return (
    <div className="grid items-start gap-6 @4xl/page:grid-cols-[15rem_minmax(0,1fr)]">
      <nav
        aria-label="Tables"
        className="flex max-h-60 flex-col overflow-y-auto rounded-xl border border-line bg-surface p-1.5 @4xl/page:max-h-[75dvh]"
      >
        {tables.map((table) => (
          <TableLink key={`${table.schema}.${table.name}`} table={table} isShown={table === shown} />
        ))}
      </nav>
      {shown ? (
        <TableView databaseId={databaseId} table={shown} />
      ) : (
        <Notice tone="warning" title={`There is no table ${search.table} anymore.`} />
      )}
    </div>
  );
}

function TableLink({
  table: { schema, name, kind, rows, size },
  isShown,
}: {
  table: DatabaseTable;
  isShown: boolean;
}) {
  const Icon = kind.endsWith('view') ? Eye : Table2;
  return (
    <Link
      from="/databases/$databaseId/tables"
      to="."
      search={{ schema, table: name }}
      aria-current={isShown ? 'page' : undefined}
      className="flex shrink-0 items-start gap-2 rounded-md px-2 py-1.5 transition-colors hover:bg-hover aria-[current=page]:bg-hover"
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
      <span className="min-w-0">
        <span className="block break-words font-medium">
          {schema === 'public' ? name : `${schema}.${name}`}
        </span>
        <span className="block text-muted text-sm">
          {kind === 'table' ? rowCount(rows) : kind}
          {size > 0 && ` · ${formatSize(size)}`}
        </span>
      </span>
    </Link>
  );
}

function rowCount(rows: number | null): string {
  return rows === null ? 'Not counted yet' : `About ${rows.toLocaleString('en-US')} rows`;
}

function TableView({ databaseId, table }: { databaseId: string; table: DatabaseTable }) {
  const { view } = route.useSearch();
  const name = { id: databaseId, schema: table.schema, table: table.name };
  return (
    <section aria-label={table.name} className="min-w-0">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="min-w-0 break-words font-semibold text-lg">{table.name}</h2>
        <div className="flex gap-1">
          <ViewLink view={undefined} shown={view} label="Rows" />
          <ViewLink view="structure" shown={view} label="Structure" />
        </div>
      </div>
      {view === 'structure' ? (
        <StructureView name={name} />
      ) : (
        <TableRows key={`${table.schema}.${table.name}`} name={name} />
      )}
    </section>
  );
}

interface ViewLinkProps {
  view: 'structure' | undefined;
  shown: 'structure' | undefined;
  label: string;
}

function ViewLink({ view, shown, label }: ViewLinkProps) {
  return (
    <Link
      from="/databases/$databaseId/tables"
      to="."
      search={(search) => ({ ...search, view })}
      replace
      aria-current={view === shown ? 'page' : undefined}
      className={PAGE_CHOICE}
    >
      {label}
    </Link>
  );
}
