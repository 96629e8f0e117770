import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

const DESCRIPTION = 'Your plan and what it costs, and what your resources use.';

export interface BillingHeaderProps {
  description?: string;
  action?: ReactNode;
}

/** The heading of billing, there before its figures are. */
export function BillingHeader({ description = DESCRIPTION, action }: BillingHeaderProps) {
  return <PageHeader title="Billing & Usage" description={description} action={action} />;
}
