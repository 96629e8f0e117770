import { getRouteApi } from '@tanstack/react-router';
import { trpc } from '../../trpc.ts';
import { BackLink } from '../../ui/back-link.tsx';
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
      <BackLink to="/payment-gateway">Payment Gateway</BackLink>
      <AccountHeader account={account} />
      <AccountBalance account={account} />
      <StatementSection account={account} />
    </>
  );
}
