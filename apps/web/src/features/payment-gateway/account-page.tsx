import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { trpc } from '../../trpc.ts';
import { AccountBalance } from './account-balance.tsx';
import { AccountHeader } from './account-header.tsx';
import { StatementSection } from './statement-section.tsx';
import { useMoneyChanges } from './use-money-changes.ts';

const route = getRouteApi('/_console/payment-gateway/accounts/$accountId');

export function AccountPage() {
  const { accountId } = route.useParams();
  const [account] = trpc.paymentGateway.virtualAccount.useSuspenseQuery({ id: accountId });
  useMoneyChanges([account]);
  return (
    <>
      <Link
        to="/payment-gateway"
        className="mb-3 inline-flex items-center gap-1.5 rounded-sm text-muted text-sm hover:text-fg"
      >
        <ArrowLeft aria-hidden="true" className="size-3.5" />
        Payment Gateway
      </Link>
      <AccountHeader account={account} />
      <AccountBalance account={account} />
      <StatementSection account={account} />
    </>
  );
}
