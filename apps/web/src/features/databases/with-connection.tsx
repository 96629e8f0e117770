import type { ManagedDatabase } from '@nephos/contracts';
import type { ReactNode } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type Address, parseAddress } from './address.ts';
import { RotatePassword } from './rotate-password.tsx';

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
      return <Fetched database={database}>{children}</Fetched>;
  }
}

/** Fetched each time that it is shown, and forgotten when it is not shown any more: it holds the password. */
function Fetched({ database, children }: WithConnectionProps) {
  const { id } = database;
  const connection = trpc.databases.connection.useQuery({ id }, { staleTime: 0, gcTime: 0 });
  if (connection.data) {
    const { connectionString, passwordChanged } = connection.data;
    return (
      <>
        {passwordChanged && <PasswordChanged database={database} />}
        {children(parseAddress(connectionString))}
      </>
    );
  }
  if (connection.error)
    return <LoadFailure query={connection} failure="Failed to load the connection string" />;
  return (
    <SkeletonGroup label="Loading the connection string">
      <Skeleton className="h-14 rounded-lg" />
    </SkeletonGroup>
  );
}

function PasswordChanged({ database }: { database: ManagedDatabase }) {
  return (
    <Notice
      tone="warning"
      className="mb-4"
      title="The password was changed outside of Nephos"
      action={<RotatePassword database={database} label="Reset password" />}
    >
      The server refuses the connection string below. Use the password that was set, or reset it: Nephos then
      has a string that works again.
    </Notice>
  );
}
