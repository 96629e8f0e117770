import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of billing, there before its figures are. */
export function BillingHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Billing & Usage"
      description="Your plan and what it costs, and what your resources use."
      action={action}
    />
  );
}
