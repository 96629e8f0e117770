import type { ManagedDatabase } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';
import { DatabaseStatus } from './database-status.tsx';
import { RetryDatabase } from './retry-database.tsx';
import { TYPE_NAMES } from './type-names.ts';

export function DatabaseCard({ database }: { database: ManagedDatabase }) {
  const { id, name, type, region, storageSize, status, error, passwordChanged } = database;
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
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-faint">Type</dt>
        <dd>{TYPE_NAMES[type]}</dd>
        <dt className="text-faint">Region</dt>
        <dd>{region}</dd>
        <dt className="text-faint">Storage</dt>
        <dd>{storageSize} GB</dd>
      </dl>
      {status === 'creating' && (
        <p className="mt-3 text-muted text-sm">Being created. It takes a few seconds.</p>
      )}
      {status === 'failed' && <p className="mt-3 line-clamp-3 break-words text-danger text-sm">{error}</p>}
      {passwordChanged && (
        <p className="mt-3 text-muted text-sm">
          The password was changed outside of Nephos. The connection string has the one from before.
        </p>
      )}
      <div className="mt-auto flex flex-wrap gap-2 pt-5">
        <ConnectionDialog database={database} />
        {status === 'failed' && <RetryDatabase database={database} />}
      </div>
    </Card>
  );
}
