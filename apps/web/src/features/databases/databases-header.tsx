import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the databases page, there before its databases are. */
export function DatabasesHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Managed Databases"
      description="PostgreSQL, MySQL and MongoDB databases, each with an address that its own clients take."
      action={action}
    />
  );
}
