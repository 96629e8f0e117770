import type { MobileApp } from '@nephos/contracts';
import { FileCog } from 'lucide-react';
import { memo } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { BuildStatus } from './build-status.tsx';
import { DeleteMobileApp } from './delete-mobile-app.tsx';
import { METHOD_NAMES } from './method-names.ts';
import { PLATFORM_NAMES, PlatformIcon } from './platform.tsx';

export interface MobileAppCardProps {
  app: MobileApp;
  onView: (id: string) => void;
}

/** Memoised: there may be thousands, and a page more leaves those before it as they are. */
export const MobileAppCard = memo(function MobileAppCard({ app, onView }: MobileAppCardProps) {
  const { id, name, platform, bundleId, version, buildNumber, buildStatus, deploymentMethod } = app;
  return (
    <Card className="flex h-full min-h-54 flex-col">
      <header className="flex items-center gap-3">
        <PlatformIcon platform={platform} />
        <div className="min-w-0 grow">
          <h2 className="truncate font-semibold" title={name}>
            {name}
          </h2>
          <p className="truncate font-mono text-faint text-xs" title={bundleId}>
            {bundleId}
          </p>
        </div>
        <BuildStatus status={buildStatus} />
      </header>
      <dl className="mt-4 grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-x-2 gap-y-1 text-sm">
        <dt className="text-faint">Version</dt>
        <dd>
          {version} ({buildNumber})
        </dd>
        <dt className="text-faint">Platform</dt>
        <dd>{PLATFORM_NAMES[platform]}</dd>
        {deploymentMethod !== 'manual' && (
          <>
            <dt className="text-faint">Deployment</dt>
            <dd>
              <Badge>{METHOD_NAMES[deploymentMethod]}</Badge>
            </dd>
          </>
        )}
      </dl>
      <div className="mt-auto flex items-center justify-between gap-2 pt-5">
        <Button size="sm" aria-label={`View Config of ${name}`} onClick={() => onView(id)}>
          <FileCog aria-hidden="true" />
          View Config
        </Button>
        <DeleteMobileApp app={app} />
      </div>
    </Card>
  );
});
