import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the DNS page, there before its records are. */
export function DnsHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="DNS Management"
      description="Records that this console's own name server answers with, within a second of saving them."
      action={action}
    />
  );
}
