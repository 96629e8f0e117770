import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the databases page, there before its databases are. */
export function DatabasesHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Managed Databases"
      description="PostgreSQL, MySQL and MongoDB databases that are made for you, with an address to connect to."
      action={action}
    />
  );
}
