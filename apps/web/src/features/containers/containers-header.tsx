import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the registry page, there before its images are. */
export function ContainersHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Container Registry"
      description="Images that Docker and skopeo push to this console and pull from it."
      action={action}
    />
  );
}
