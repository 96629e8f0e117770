import { getRouteApi } from '@tanstack/react-router';
import { trpc } from '../../trpc.ts';
import { BackLink } from '../../ui/back-link.tsx';
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
      {database.status !== 'failed' && (
        <div className="grid items-start gap-6 @4xl/page:grid-cols-[minmax(0,1fr)_22rem]">
          <ConnectionSection database={database} />
          <UsageSection database={database} />
        </div>
      )}
    </>
  );
}
