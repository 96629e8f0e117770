import { Plus } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { trpc } from '../../lib/trpc.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { AccountList } from './account-list.tsx';
import { BeneficiaryList } from './beneficiary-list.tsx';
import { ClosedAccounts } from './closed-accounts.tsx';
import { useGatewayTab } from './gateway-search.ts';
import { useMoneyChanges } from './money-queries.ts';
import { TransactionList } from './transaction-list.tsx';

const NewAccountDialog = lateDialog({ fields: 2 }, () =>
  import('./new-account-dialog.tsx').then(({ NewAccountDialog }) => NewAccountDialog),
);

export function GatewayPage() {
  const [accounts] = trpc.paymentGateway.virtualAccounts.useSuspenseQuery();
  const { creating, setCreating, opener } = useCreation('money');
  const { tab, setTab } = useGatewayTab();
  useMoneyChanges(accounts);
  return (
    <>
      <PageHeader
        {...HEADINGS.paymentGateway}
        action={
          <Button variant="primary" {...opener}>
            <Plus aria-hidden="true" />
            Create Virtual Account
          </Button>
        }
      />
      <Tabs value={tab} onValueChange={setTab}>
        <TabsList aria-label="Payment gateway">
          <TabsTrigger value="accounts">Virtual Accounts</TabsTrigger>
          <TabsTrigger value="transactions">Transactions</TabsTrigger>
          <TabsTrigger value="beneficiaries">Beneficiaries</TabsTrigger>
        </TabsList>
        <TabsContent value="accounts">
          <AccountList accounts={accounts} opener={opener} />
          <ClosedAccounts />
        </TabsContent>
        <TabsContent value="transactions">
          <TransactionList accounts={accounts} onShowAccounts={() => setTab('accounts')} />
        </TabsContent>
        <TabsContent value="beneficiaries">
          <BeneficiaryList canSend={accounts.length > 0} />
        </TabsContent>
      </Tabs>
      {creating && <NewAccountDialog onClose={() => setCreating(false)} />}
    </>
  );
}
