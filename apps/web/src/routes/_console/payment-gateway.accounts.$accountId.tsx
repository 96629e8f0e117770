import { createFileRoute } from '@tanstack/react-router';
import { LateActivity } from '../../features/activity/late-activity.tsx';
import { AccountPage } from '../../features/payment-gateway/account-page.tsx';
import { statementSearch } from '../../features/payment-gateway/statement-search.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';

export const Route = createFileRoute('/_console/payment-gateway/accounts/$accountId')({
  validateSearch: statementSearch,
  loader: ({ context: { utils }, params: { accountId } }) =>
    Promise.all([
      utils.paymentGateway.virtualAccount.ensureData({ id: accountId }),
      // The form that sends chooses among them.
      utils.paymentGateway.virtualAccounts.ensureData(),
    ]),
  pendingComponent: () => (
    <PageSkeleton
      label="Loading the account"
      action="w-52"
      bars={['mb-8 h-24 rounded-xl max-sm:h-52', 'mb-3 h-6 w-28', 'mb-4 h-9', 'h-64 rounded-xl']}
    />
  ),
  component: Page,
});

function Page() {
  return (
    <>
      <AccountPage />
      <LateActivity id={Route.useParams().accountId} />
    </>
  );
}
