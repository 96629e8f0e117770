import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the storage page, there before its files are. */
export function StorageHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Cloud Storage"
      description="Files to keep for yourself or to share by a public address."
      action={action}
    />
  );
}
