import { trpc } from '../../trpc.ts';
import { Badge } from '../../ui/badge.tsx';
import { TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { FRESH } from './fresh.ts';

/** What the page has; an engine in trouble shows on every tab. */
export function AdminTabs() {
  return (
    <TabsList aria-label="Administration">
      <TabsTrigger value="users">Users</TabsTrigger>
      <TabsTrigger value="subscriptions">Subscriptions</TabsTrigger>
      <TabsTrigger value="payments">Payments</TabsTrigger>
      <TabsTrigger value="usage">Usage</TabsTrigger>
      <TabsTrigger value="engines">
        Engines
        <Trouble />
      </TabsTrigger>
      <TabsTrigger value="ledger">Ledger</TabsTrigger>
    </TabsList>
  );
}

function Trouble() {
  const totals = trpc.admin.totals.useQuery();
  // After the figures: reads travel together, and an engine that does not answer would hold up all of them.
  const engines = trpc.admin.engines.useQuery(undefined, { ...FRESH, enabled: !totals.isPending });
  const unhealthy = engines.data?.filter(({ state }) => state === 'unhealthy').length ?? 0;
  return unhealthy > 0 && <Badge tone="danger">{`${unhealthy} unhealthy`}</Badge>;
}
