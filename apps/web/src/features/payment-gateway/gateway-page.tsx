import { Plus } from 'lucide-react';
import { useCreation } from '../../lib/creation.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs, TabsContent } from '../../ui/tabs.tsx';
import { AccountList } from './account-list.tsx';
import { BeneficiaryList } from './beneficiary-list.tsx';
import { GatewayHeader } from './gateway-header.tsx';
import { type GatewayTab, useGatewayTab } from './gateway-search.ts';
import { GatewayTabs } from './gateway-tabs.tsx';
import { NewAccountDialog } from './new-account-dialog.tsx';
import { TransactionList } from './transaction-list.tsx';
import { useMoneyChanges } from './use-money-changes.ts';

export function GatewayPage() {
  const [accounts] = trpc.paymentGateway.virtualAccounts.useSuspenseQuery();
  const { creating, setCreating } = useCreation();
  const { tab, setTab } = useGatewayTab();
  useMoneyChanges(accounts);
  return (
    <>
      <GatewayHeader
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" />
            Create Virtual Account
          </Button>
        }
      />
      {/* Radix speaks of strings; only the values below can be chosen. */}
      <Tabs value={tab} onValueChange={(chosen) => setTab(chosen as GatewayTab)}>
        <GatewayTabs />
        <TabsContent value="accounts">
          <AccountList accounts={accounts} onCreate={() => setCreating(true)} />
        </TabsContent>
        <TabsContent value="transactions">
          <TransactionList accounts={accounts} onShowAccounts={() => setTab('accounts')} />
        </TabsContent>
        <TabsContent value="beneficiaries">
          <BeneficiaryList canSend={accounts.length > 0} />
        </TabsContent>
      </Tabs>
      <NewAccountDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
