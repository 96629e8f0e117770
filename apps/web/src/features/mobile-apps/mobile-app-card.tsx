import type { MobileApp } from '@nephos/contracts';
import { FileCog, Pencil, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { EditMobileAppDialog } from './edit-mobile-app-dialog.tsx';
import { BuildStatus, METHOD_NAMES, PLATFORM_NAMES, PlatformIcon } from './mobile-app-words.tsx';

interface MobileAppCardProps {
  app: MobileApp;
  onView: (id: string) => void;
}

/** Memoised: there may be thousands, and a page more leaves those before it as they are. */
export const MobileAppCard = memo(function MobileAppCard({ app, onView }: MobileAppCardProps) {
  const { platform, version, buildNumber, deploymentMethod } = app;
  return (
    <Card className="flex h-full min-h-54 flex-col">
      <CardTitle app={app} />
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
      <div className="mt-auto pt-5">
        <MobileAppActions app={app} onView={onView} />
      </div>
    </Card>
  );
});

/** What can be done with an app. */
export function MobileAppActions({ app, onView }: MobileAppCardProps) {
  return (
    <div className="flex items-center justify-between gap-2">
      <Button size="sm" aria-label={`View Config of ${app.name}`} onClick={() => onView(app.id)}>
        <FileCog aria-hidden="true" />
        View Config
      </Button>
      <div className="-mr-2 flex items-center gap-1">
        <EditMobileApp app={app} />
        <DeleteMobileApp app={app} />
      </div>
    </div>
  );
}

function CardTitle({ app: { name, platform, bundleId, buildStatus } }: { app: MobileApp }) {
  return (
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
  );
}

function EditMobileApp({ app }: { app: MobileApp }) {
  const need = useNeed('build');
  const [editing, setEditing] = useState(false);
  return (
    <>
      <IconButton
        label={`Edit ${app.name}`}
        title="Edit"
        size="sm"
        {...need}
        onClick={() => setEditing(true)}
      >
        <Pencil />
      </IconButton>
      {editing && <EditMobileAppDialog app={app} onClose={() => setEditing(false)} />}
    </>
  );
}

/** Asks for the app's name, then deletes it. */
function DeleteMobileApp({ app: { id, name } }: { app: MobileApp }) {
  const utils = trpc.useUtils();
  const remove = useAction(trpc.mobileApps.remove.useMutation(), {
    success: 'Mobile app deleted successfully',
    failure: 'Failed to delete mobile app',
    refresh: [utils.mobileApps.list],
  });
  return (
    <DeleteDialog
      title="Delete Mobile App?"
      description={
        <>
          This permanently deletes <strong className="break-words font-semibold text-fg">{name}</strong> and
          its build configuration. Versions already in a store aren't affected.
        </>
      }
      name={name}
      label="Delete mobile app"
      action={remove}
      onConfirm={(close) => remove.run({ id }, close)}
      trigger={(open) => (
        <IconButton label={`Delete ${name}`} title="Delete" size="sm" onClick={open}>
          <Trash2 />
        </IconButton>
      )}
    />
  );
}
