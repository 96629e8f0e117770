import { TabsList, TabsTrigger } from '../../ui/tabs.tsx';

/** What the page has, there before any of it is. */
export function GatewayTabs() {
  return (
    <TabsList aria-label="Payment gateway">
      <TabsTrigger value="accounts">Virtual Accounts</TabsTrigger>
      <TabsTrigger value="transactions">Transactions</TabsTrigger>
      <TabsTrigger value="beneficiaries">Beneficiaries</TabsTrigger>
    </TabsList>
  );
}
