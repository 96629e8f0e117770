import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the deployments page, there before its projects are. */
export function ProjectsHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Deployments"
      description="Apps that are built from Git and run at a URL of their own."
      action={action}
    />
  );
}
