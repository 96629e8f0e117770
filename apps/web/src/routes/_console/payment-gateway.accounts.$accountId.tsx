import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../features/payment-gateway/account-page.tsx';
import { AccountSkeleton } from '../../features/payment-gateway/account-skeleton.tsx';
import { statementSearch } from '../../features/payment-gateway/statement-search.ts';

export const Route = createFileRoute('/_console/payment-gateway/accounts/$accountId')({
  validateSearch: statementSearch,
  loader: ({ context: { utils }, params: { accountId } }) =>
    Promise.all([
      utils.paymentGateway.virtualAccount.ensureData({ id: accountId }),
      // The form that sends chooses among them.
      utils.paymentGateway.virtualAccounts.ensureData(),
    ]),
  pendingComponent: AccountSkeleton,
  component: AccountPage,
});
