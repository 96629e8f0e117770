import type { ManagedDatabase } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { Database, Plug, Plus } from 'lucide-react';
import { lazy, useState } from 'react';
import { useCreation } from '../../lib/creation.ts';
import { trpc } from '../../lib/trpc.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { AssistantButton } from '../../shell/assistant-button.tsx';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { LatePart } from '../../shell/late-part.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ConnectionDetails, WithConnection } from './connection.tsx';
import { DatabaseStatus, REGION_HINT, sizeOf, TYPE_NAMES } from './database-words.tsx';
import { RetryDatabase } from './retry-database.tsx';
import { useDatabaseChanges } from './use-database-changes.ts';

const NewDatabaseDialog = lateDialog({ fields: 4 }, () =>
  import('./new-database-dialog.tsx').then(({ NewDatabaseDialog }) => NewDatabaseDialog),
);

const WorkProgress = lazy(() =>
  import('./work-progress.tsx').then((part) => ({ default: part.WorkProgress })),
);

export function DatabasesPage() {
  const [databases] = trpc.databases.list.useSuspenseQuery();
  const { creating, setCreating, opener } = useCreation();
  useDatabaseChanges(databases);
  return (
    <>
      <PageHeader
        {...HEADINGS.databases}
        action={
          <>
            <AssistantButton scope="database" />
            <Button variant="primary" {...opener}>
              <Plus aria-hidden="true" />
              New Database
            </Button>
          </>
        }
      />
      {databases.length === 0 ? (
        <EmptyState
          icon={Database}
          title="No databases yet"
          description="Create a database with its own user and password. It's ready in seconds."
          action={<Button {...opener}>Create your first database</Button>}
        />
      ) : (
        <ul aria-label="Databases" className="grid gap-4 sm:grid-cols-2 @4xl/page:grid-cols-3">
          {databases.map((database) => (
            <li key={database.id} className="min-w-0">
              <DatabaseCard database={database} />
            </li>
          ))}
        </ul>
      )}
      {creating && <NewDatabaseDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function DatabaseCard({ database }: { database: ManagedDatabase }) {
  const { id, name, status, error, passwordChanged, work } = database;
  return (
    <Card className="flex h-full min-h-56 flex-col">
      <CardHeader
        title={
          <Link
            to="/databases/$databaseId"
            params={{ databaseId: id }}
            title={name}
            className="rounded-sm underline-offset-4 hover:underline"
          >
            {name}
          </Link>
        }
        aside={<DatabaseStatus status={status} passwordChanged={passwordChanged} />}
      />
      <Facts database={database} />
      {work && (
        <LatePart wanted={false}>
          <div className="mt-4">
            <WorkProgress database={database} work={work} />
          </div>
        </LatePart>
      )}
      {status === 'creating' && !work && <p className="mt-3 text-muted text-sm">This takes a few seconds.</p>}
      {status === 'failed' && <p className="mt-3 line-clamp-3 break-words text-danger text-sm">{error}</p>}
      {passwordChanged && (
        <p className="mt-3 text-muted text-sm">
          The password was changed outside Nephos, so the connection string no longer works.
        </p>
      )}
      <div className="mt-auto flex flex-wrap gap-2 pt-5">
        <ConnectionDialog database={database} />
        {status === 'failed' && <RetryDatabase database={database} />}
      </div>
    </Card>
  );
}

function Facts({ database }: { database: ManagedDatabase }) {
  const { type, region } = database;
  return (
    <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      <dt className="text-faint">Type</dt>
      <dd>{TYPE_NAMES[type]}</dd>
      <dt className="text-faint">Region label</dt>
      <dd title={REGION_HINT}>{region}</dd>
      <dt className="text-faint">Storage</dt>
      <dd>{sizeOf(database)}</dd>
    </dl>
  );
}

/** Shows how to reach the database, its password only once it is revealed. */
function ConnectionDialog({ database }: { database: ManagedDatabase }) {
  const { id, name } = database;
  const need = useNeed('secrets');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        {...need}
        aria-label={`View Connection String of ${name}`}
        onClick={() => setOpen(true)}
      >
        <Plug aria-hidden="true" />
        View Connection String
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title="Connection string" description={name} wide>
          <div className="flex flex-col gap-4">
            <WithConnection database={database} atOnce>
              {(address) => <ConnectionDetails address={address} />}
            </WithConnection>
            <p className="text-muted text-sm">
              Anyone with this string can read and change everything in the database.{' '}
              <Link
                to="/databases/$databaseId"
                params={{ databaseId: id }}
                className="rounded-sm text-accent-text underline underline-offset-4"
              >
                Open the database
              </Link>{' '}
              to get its host, port and code examples.
            </p>
          </div>
        </DialogContent>
      </Dialog>
    </>
  );
}
