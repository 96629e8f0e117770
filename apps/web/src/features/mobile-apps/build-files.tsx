import type { MobileApp } from '@nephos/contracts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { PlatformTabs } from './platform-tabs.tsx';

/** The generated files of a configured app. */
export function BuildFiles({ app }: { app: MobileApp }) {
  const files = trpc.mobileApps.files.useQuery({ id: app.id });
  if (files.data) return <PlatformTabs app={app} {...files.data} />;
  if (files.error) return <LoadFailure query={files} failure="Failed to load the build configuration" />;
  return (
    <SkeletonGroup label="Loading the build configuration">
      <Skeleton className="h-10 w-48" />
      <div className="mt-6 grid gap-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-1">
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </div>
        <Skeleton className="h-108 rounded-lg" />
      </div>
    </SkeletonGroup>
  );
}
