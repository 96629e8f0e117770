import { CardGridSkeleton } from '../../ui/card-grid-skeleton.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { GatewayHeader } from './gateway-header.tsx';
import { GatewayTabs } from './gateway-tabs.tsx';

/** Three cards in the shape of `AccountCard`, below the tabs. */
export function GatewaySkeleton() {
  return (
    <>
      <GatewayHeader action={<Skeleton className="h-9 w-52" />} />
      <Tabs value="accounts">
        <GatewayTabs />
      </Tabs>
      <div className="pt-6">
        <CardGridSkeleton label="Loading virtual accounts" className="h-64">
          <Skeleton className="h-6 w-2/5" />
          <Skeleton className="mt-2 h-4 w-1/3" />
          <Skeleton className="mt-5 h-4 w-16" />
          <Skeleton className="mt-1.5 h-8 w-40" />
          <Skeleton className="mt-2 h-4 w-24" />
          <div className="mt-auto flex gap-2">
            <Skeleton className="h-8 w-24" />
            <Skeleton className="h-8 w-24" />
          </div>
        </CardGridSkeleton>
      </div>
    </>
  );
}
