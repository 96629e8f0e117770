import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { trpc } from '../../trpc.ts';
import { Notice } from '../../ui/notice.tsx';
import { ConnectionSection } from './connection-section.tsx';
import { DatabaseHeader } from './database-header.tsx';
import { RetryDatabase } from './retry-database.tsx';
import { UsageSection } from './usage-section.tsx';
import { useDatabaseChanges } from './use-database-changes.ts';

const route = getRouteApi('/_console/databases/$databaseId');

export function DatabasePage() {
  const { databaseId } = route.useParams();
  const [database] = trpc.databases.get.useSuspenseQuery({ id: databaseId });
  useDatabaseChanges([database]);
  return (
    <>
      <Link
        to="/databases"
        className="mb-3 inline-flex items-center gap-1.5 rounded-sm text-muted text-sm hover:text-fg"
      >
        <ArrowLeft aria-hidden="true" className="size-3.5" />
        Managed Databases
      </Link>
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
      {database.status !== 'failed' && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <ConnectionSection database={database} />
          <UsageSection database={database} />
        </div>
      )}
    </>
  );
}
