import { lazy, type ReactNode } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useIsSelling } from '../../lib/use-is-selling.ts';
import { HEADINGS } from '../../shell/headings.ts';
import { LatePart } from '../../shell/late-part.tsx';
import { Badge } from '../../ui/badge.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { useAdminView } from './admin-search.ts';
import { FRESH } from './fresh.ts';
import { PaymentsTab } from './payments-tab.tsx';
import { SubscriptionsTab } from './subscriptions-tab.tsx';
import { Totals } from './totals.tsx';
import { UsageTab } from './usage-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const EnginesTab = lazy(() =>
  import('./engines-tab.tsx').then(({ EnginesTab }) => ({ default: EnginesTab })),
);
const JobsTab = lazy(() => import('./jobs-tab.tsx').then(({ JobsTab }) => ({ default: JobsTab })));
const LedgerTab = lazy(() => import('./ledger-tab.tsx').then(({ LedgerTab }) => ({ default: LedgerTab })));
const SettingsTab = lazy(() =>
  import('./settings-tab.tsx').then(({ SettingsTab }) => ({ default: SettingsTab })),
);

const LOADING = <p className="text-muted">Loading…</p>;

/** For admins alone: whoever renders it asks for everybody's data. `activity` is the tab of who did what. */
export function AdminPage({ activity }: { activity: ReactNode }) {
  const { tab, setTab } = useAdminView();
  const selling = useIsSelling();
  const isAway = !selling && (tab === 'subscriptions' || tab === 'payments');
  return (
    <>
      <PageHeader {...HEADINGS.admin} />
      <Totals />
      <Tabs value={isAway ? 'users' : tab} onValueChange={setTab} className="mt-8">
        <AdminTabs selling={selling} />
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
          <LatePart wanted fallback={LOADING}>
            <EnginesTab />
          </LatePart>
        </TabsContent>
        <TabsContent value="settings">
          <LatePart wanted fallback={LOADING}>
            <SettingsTab />
          </LatePart>
        </TabsContent>
        <TabsContent value="jobs">
          <LatePart wanted fallback={LOADING}>
            <JobsTab />
          </LatePart>
        </TabsContent>
        <TabsContent value="activity">{activity}</TabsContent>
        <TabsContent value="ledger">
          <LatePart wanted fallback={LOADING}>
            <LedgerTab />
          </LatePart>
        </TabsContent>
      </Tabs>
    </>
  );
}

/** What the page has; an engine in trouble shows on every tab. */
function AdminTabs({ selling }: { selling: boolean }) {
  return (
    <TabsList aria-label="Administration">
      <TabsTrigger value="users">Users</TabsTrigger>
      {selling && <TabsTrigger value="subscriptions">Subscriptions</TabsTrigger>}
      {selling && <TabsTrigger value="payments">Payments</TabsTrigger>}
      <TabsTrigger value="usage">Usage</TabsTrigger>
      <TabsTrigger value="engines">
        Engines
        <Trouble />
      </TabsTrigger>
      <TabsTrigger value="settings">Settings</TabsTrigger>
      <TabsTrigger value="jobs">Jobs</TabsTrigger>
      <TabsTrigger value="activity">Activity</TabsTrigger>
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
