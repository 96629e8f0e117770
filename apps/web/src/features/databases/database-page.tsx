import type { ManagedDatabase } from '@nephos/contracts';
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { lazy } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { BackLink } from '../../shell/back-link.tsx';
import { LatePart } from '../../shell/late-part.tsx';
import { PAGE_TAB, PageTabs } from '../../shell/page-tabs.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { useWindowTitle } from '../../ui/use-window-title.ts';
import type { Address } from './address.ts';
import { ConnectionDetails, RotatePassword, WithConnection } from './connection.tsx';
import { DatabaseStatus, REGION_HINT, sizeOf, TYPE_NAMES } from './database-words.tsx';
import { RetryDatabase } from './retry-database.tsx';
import { type Client, snippetsFor, URL_VARIABLE } from './snippets.ts';
import { UsageSection } from './usage-section.tsx';
import { useDatabaseChanges } from './use-database-changes.ts';

const StorageNotice = lazy(() =>
  import('./storage-notice.tsx').then((part) => ({ default: part.StorageNotice })),
);
const SleepSection = lazy(() =>
  import('./sleep-section.tsx').then((part) => ({ default: part.SleepSection })),
);

const UsersSection = lazy(() =>
  import('./users-section.tsx').then((part) => ({ default: part.UsersSection })),
);
const ExtensionsSection = lazy(() =>
  import('./extensions-section.tsx').then((part) => ({ default: part.ExtensionsSection })),
);
const SizeSection = lazy(() => import('./size-section.tsx').then((part) => ({ default: part.SizeSection })));
const ImportSection = lazy(() =>
  import('./import-section.tsx').then((part) => ({ default: part.ImportSection })),
);
const WorkProgress = lazy(() =>
  import('./work-progress.tsx').then((part) => ({ default: part.WorkProgress })),
);
const MoveSection = lazy(() => import('./move-section.tsx').then((part) => ({ default: part.MoveSection })));
const PooledConnection = lazy(() =>
  import('./pooled-connection.tsx').then((part) => ({ default: part.PooledConnection })),
);
const MemorySection = lazy(() =>
  import('./memory-section.tsx').then((part) => ({ default: part.MemorySection })),
);

const route = getRouteApi('/_console/databases/$databaseId');

/** What all pages of a database share: its name, state and actions. */
export function DatabasePage() {
  const { databaseId } = route.useParams();
  const [database] = trpc.databases.get.useSuspenseQuery({ id: databaseId });
  useDatabaseChanges([database]);
  return (
    <>
      <BackLink to="/databases">Managed Databases</BackLink>
      <DatabaseHeader database={database} />
      {database.status === 'failed' && (
        <Notice
          tone="danger"
          className="mb-6"
          title="The database could not be created"
          action={<RetryDatabase database={database} />}
        >
          <p className="text-fg">{database.error}</p>
        </Notice>
      )}
      {database.work && (
        <LatePart wanted={false}>
          <Card className="mb-6">
            <WorkProgress database={database} work={database.work} />
          </Card>
        </LatePart>
      )}
      {database.status !== 'failed' && (
        <>
          {database.storageState !== 'ok' && (
            <LatePart wanted={false}>
              <StorageNotice database={database} />
            </LatePart>
          )}
          <DatabaseTabs database={database} />
          <Outlet />
        </>
      )}
    </>
  );
}

const TABS = [
  { to: '/databases/$databaseId', label: 'Overview' },
  { to: '/databases/$databaseId/tables', label: 'Tables', only: 'postgresql' },
  { to: '/databases/$databaseId/sql', label: 'SQL', only: 'postgresql' },
  { to: '/databases/$databaseId/figures', label: 'Figures', only: 'postgresql' },
  { to: '/databases/$databaseId/backups', label: 'Backups' },
] as const;

function DatabaseTabs({ database: { id, type } }: { database: ManagedDatabase }) {
  return (
    <div className="mb-6">
      <PageTabs label="Database">
        {TABS.filter((tab) => !('only' in tab) || tab.only === type).map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            params={{ databaseId: id }}
            activeOptions={{ exact: true, includeSearch: false }}
            className={PAGE_TAB}
          >
            {label}
          </Link>
        ))}
      </PageTabs>
    </div>
  );
}

/** How a database is reached, and how full it is. */
export function DatabaseOverview() {
  const { databaseId } = route.useParams();
  const [database] = trpc.databases.get.useSuspenseQuery({ id: databaseId });
  return (
    <div className="grid items-start gap-6 @4xl/page:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <ConnectionSection database={database} />
        {database.activity !== null && (
          <LatePart wanted={false}>
            <UsersSection database={database} />
            <ExtensionsSection key={databaseId} database={database} />
          </LatePart>
        )}
        {database.type === 'postgresql' && database.status === 'available' && (
          <LatePart wanted={false}>
            <ImportSection database={database} />
          </LatePart>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <UsageSection database={database} />
        {database.type !== 'redis' && (
          <LatePart wanted={false}>
            <SizeSection key={databaseId} database={database} />
          </LatePart>
        )}
        {database.type === 'redis' && database.status === 'available' && (
          <LatePart wanted={false}>
            <MemorySection key={databaseId} databaseId={databaseId} />
          </LatePart>
        )}
        {database.type === 'postgresql' && database.activity === null && database.status === 'available' && (
          <LatePart wanted={false}>
            <MoveSection database={database} />
          </LatePart>
        )}
        {database.activity !== null && (
          <LatePart wanted={false}>
            <SleepSection database={database} activity={database.activity} />
          </LatePart>
        )}
      </div>
    </div>
  );
}

function DatabaseHeader({ database }: { database: ManagedDatabase }) {
  const { name, type, version, region, status, passwordChanged, createdAt } = database;
  useWindowTitle(name);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 max-w-full">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="min-w-0 break-words font-semibold text-2xl tracking-tight">{name}</h1>
          <DatabaseStatus status={status} passwordChanged={passwordChanged} />
        </div>
        <ul aria-label="About the database" className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1 text-muted">
          <li>{`${TYPE_NAMES[type]} ${version}`.trim()}</li>
          <li title={REGION_HINT}>Region label: {region}</li>
          <li>{sizeOf(database)}</li>
          <li>
            Created{' '}
            <time dateTime={createdAt} title={formatInstant(createdAt)}>
              {formatAgo(createdAt)}
            </time>
          </li>
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <DeleteDatabase database={database} />
        <AssistantButton scope="database" resourceId={database.id} />
        {status === 'available' && <RotatePassword database={database} />}
      </div>
    </header>
  );
}

/** The way out of a database, which asks for its name. */
function DeleteDatabase({ database: { id, name } }: { database: ManagedDatabase }) {
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = useAction(trpc.databases.remove.useMutation(), {
    success: 'Database deleted',
    failure: 'Failed to delete the database',
    serverSpeaks: true,
    refresh: [utils.databases.list],
    // Once it is out of sight: going back has to ask the server, and find it gone.
    onDone: () => void navigate({ to: '/databases' }).then(() => utils.databases.get.reset({ id })),
  });
  return (
    <DeleteDialog
      title="Delete database?"
      description="This permanently deletes the database, its user, all its data and its backups, and ends open connections."
      name={name}
      label="Delete database"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <Button variant="ghost" onClick={open}>
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      )}
    >
      <UsedBy databaseId={id} />
    </DeleteDialog>
  );
}

/** The projects that would miss it. */
function UsedBy({ databaseId }: { databaseId: string }) {
  const { data: projects = [] } = trpc.projects.ofDatabase.useQuery({ id: databaseId });
  if (projects.length === 0) return null;
  const names = projects.map(({ name }) => name).join(', ');
  return (
    <Notice tone="warning" title="Variables refer to this database" className="mt-4">
      The next deployment or restart of these projects fails without it: {names}.
    </Notice>
  );
}

const CLIENTS: readonly [Client, string][] = [
  ['shell', 'Shell'],
  ['node', 'Node.js'],
  ['python', 'Python'],
];

/** The address, whole and in parts, and the code that connects to it. */
function ConnectionSection({ database }: { database: ManagedDatabase }) {
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Connection"
        description="The user in this connection string can only access this database. Treat the string like a password."
      />
      <div className="mt-4">
        <WithConnection database={database}>
          {(address, connection) => (
            <>
              <ConnectionDetails address={address} parts />
              <LatePart wanted={false}>
                <PooledConnection {...connection} />
              </LatePart>
              <Snippets type={database.type} address={address} />
            </>
          )}
        </WithConnection>
      </div>
    </Card>
  );
}

function Snippets({ type, address }: { type: ManagedDatabase['type']; address: Address }) {
  return (
    <section className="mt-6" aria-label="Connect from">
      <h3 className="font-semibold">Connect from</h3>
      <Tabs defaultValue="shell" className="mt-1">
        <TabsList aria-label="Client">
          {CLIENTS.map(([client, name]) => (
            <TabsTrigger key={client} value={client}>
              {name}
            </TabsTrigger>
          ))}
        </TabsList>
        {CLIENTS.map(([client, name]) => (
          <TabsContent key={client} value={client} className="flex flex-col gap-4 pt-4">
            {client !== 'shell' && (
              <p className="text-muted text-sm">
                The code reads the connection string from <code>{URL_VARIABLE}</code>. For a project here, set
                it on the project's Environment tab.
              </p>
            )}
            {snippetsFor(type, { client, address }).map(({ label, code }) => (
              <div key={label}>
                <h4 className="mb-1.5 font-medium text-sm">{label}</h4>
                <CodeBlock code={code} label={`${name}: ${label}`} />
              </div>
            ))}
          </TabsContent>
        ))}
      </Tabs>
    </section>
  );
}
