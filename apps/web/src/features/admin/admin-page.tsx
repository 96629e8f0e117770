import { Tabs, TabsContent } from '../../ui/tabs.tsx';
import { AdminHeader } from './admin-header.tsx';
import { type AdminTab, useAdminView } from './admin-search.ts';
import { AdminTabs } from './admin-tabs.tsx';
import { EnginesTab } from './engines-tab.tsx';
import { LedgerTab } from './ledger-tab.tsx';
import { PaymentsTab } from './payments-tab.tsx';
import { SubscriptionsTab } from './subscriptions-tab.tsx';
import { Totals } from './totals.tsx';
import { UsageTab } from './usage-tab.tsx';
import { UsersTab } from './users-tab.tsx';

/** For admins alone: whoever renders it asks for everybody's data. */
export function AdminPage() {
  const { tab, setTab } = useAdminView();
  return (
    <>
      <AdminHeader />
      <Totals />
      {/* Radix speaks of strings; only the values of the tabs can be chosen. */}
      <Tabs value={tab} onValueChange={(chosen) => setTab(chosen as AdminTab)} className="mt-8">
        <AdminTabs />
        <TabsContent value="users">
          <UsersTab />
        </TabsContent>
        <TabsContent value="subscriptions">
          <SubscriptionsTab />
        </TabsContent>
        <TabsContent value="payments">
          <PaymentsTab />
        </TabsContent>
        <TabsContent value="usage">
          <UsageTab />
        </TabsContent>
        <TabsContent value="engines">
          <EnginesTab />
        </TabsContent>
        <TabsContent value="ledger">
          <LedgerTab />
        </TabsContent>
      </Tabs>
    </>
  );
}
