import type { ManagedDatabase } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type Address, parseAddress } from './address.ts';

export interface WithConnectionProps {
  database: ManagedDatabase;
  children: (address: Address) => ReactNode;
}

/** What needs a database's address, or why there is none to be had. */
export function WithConnection({ database, children }: WithConnectionProps) {
  switch (database.status) {
    case 'creating':
      return (
        <p role="status" className="flex items-center gap-2.5 text-muted">
          <Spinner className="shrink-0" />
          The database is being created. Its connection string appears here within seconds.
        </p>
      );
    case 'failed':
      return (
        <Notice tone="warning" title="There is no connection string">
          The database could not be created. {database.error}
        </Notice>
      );
    case 'available':
      return <Fetched id={database.id}>{children}</Fetched>;
  }
}

/** Fetched each time that it is shown, and forgotten when it is not shown any more: it holds the password. */
function Fetched({ id, children }: { id: string; children: (address: Address) => ReactNode }) {
  const connection = trpc.databases.connection.useQuery({ id }, { staleTime: 0, gcTime: 0 });
  if (connection.data) return children(parseAddress(connection.data.connectionString));
  if (connection.error)
    return <LoadFailure query={connection} failure="Failed to load the connection string" />;
  return (
    <SkeletonGroup label="Loading the connection string">
      <Skeleton className="h-14 rounded-lg" />
    </SkeletonGroup>
  );
}
