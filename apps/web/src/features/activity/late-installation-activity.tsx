import { lazy } from 'react';
import { LatePart } from '../../shell/late-part.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const InstallationActivity = lazy(() =>
  import('./activity-page.tsx').then((page) => ({ default: page.InstallationActivity })),
);

/** The administrators' list, loaded once its tab is opened. */
export function LateInstallationActivity() {
  return (
    <LatePart wanted fallback={<Skeleton className="h-64" />}>
      <InstallationActivity />
    </LatePart>
  );
}
