import type { ReactNode } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';

/** The heading of the payment gateway, there before its accounts are. */
export function GatewayHeader({ action }: { action?: ReactNode }) {
  return (
    <PageHeader
      title="Payment Gateway"
      description="Virtual bank accounts that hold, send and receive money, on a ledger where every cent has two entries."
      action={action}
    />
  );
}
