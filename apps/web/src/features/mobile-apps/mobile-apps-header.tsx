import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the mobile apps page, there before its apps are. */
export function MobileAppsHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Mobile App Builder"
      description="Build configuration for Android and iOS apps, ready to drop into a project."
      action={action}
    />
  );
}
