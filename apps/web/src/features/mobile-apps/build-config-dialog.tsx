import type { BuildFiles, MobileApp } from '@nephos/contracts';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { FileCog, TriangleAlert } from 'lucide-react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { PLATFORM_NAMES, runsOn } from './mobile-app-words.tsx';
import { PlatformFiles, PolicyWarnings } from './platform-files.tsx';

interface BuildConfigDialogProps {
  /** Whose configuration is shown; undefined: the dialog is closed. */
  app: MobileApp | undefined;
  onClose: () => void;
}

/** What an app is built with, or the way to generate it. */
export function BuildConfigDialog({ app, onClose }: BuildConfigDialogProps) {
  const draft = app?.buildStatus === 'draft';
  return (
    <Dialog open={app !== undefined} onOpenChange={(open) => !open && onClose()}>
      {app && (
        <DialogContent
          title="Build configuration"
          description={
            <span className="break-words">
              {app.name} · <span className="font-mono">{app.bundleId}</span> · {app.version} (
              {app.buildNumber})
            </span>
          }
          full={!draft}
        >
          {draft ? <GeneratePrompt app={app} /> : <GeneratedFiles app={app} />}
        </DialogContent>
      )}
    </Dialog>
  );
}

/** The generated files of a configured app. */
function GeneratedFiles({ app }: { app: MobileApp }) {
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

/** What a draft has in place of its files. */
function GeneratePrompt({ app: { id, platform } }: { app: MobileApp }) {
  const utils = trpc.useUtils();
  const queries = useQueryClient();

  /** At once, so that the files take the prompt's place before the list was fetched again. */
  function show(configured: MobileApp) {
    queries.setQueriesData<InfiniteData<MobileApp[]>>(
      { queryKey: getQueryKey(trpc.mobileApps.list, undefined, 'infinite') },
      (before) =>
        before && {
          ...before,
          pages: before.pages.map((page) => page.map((app) => (app.id === id ? configured : app))),
        },
    );
  }

  const generate = useAction(trpc.mobileApps.generateConfig.useMutation(), {
    success: 'Build configuration generated successfully',
    failure: 'Failed to generate build configuration',
    refresh: [utils.mobileApps.list],
    onDone: show,
  });
  return (
    <div className="flex flex-col gap-4">
      <EmptyState
        icon={FileCog}
        title="No build configuration yet"
        description={`Generate the files and step-by-step instructions for building on ${PLATFORM_NAMES[platform]} from this app's settings.`}
        action={
          <Button variant="primary" {...generate.button} onClick={() => generate.run({ id })}>
            Generate Build Config
          </Button>
        }
      />
      {generate.refusal && <Notice tone="danger" title={generate.refusal} />}
    </div>
  );
}

const TABS = ['android', 'ios'] as const;

/** What there is for Android and what there is for iOS, as far as the app runs there. */
function PlatformTabs({ app, files, warnings }: BuildFiles & { app: MobileApp }) {
  const platforms = TABS.filter((one) => runsOn(app.platform, one)).map((one) => ({
    one,
    warnings: warnings.filter(({ platform }) => platform === one),
    files: files.filter(({ platform }) => runsOn(platform, one)),
  }));
  return (
    <Tabs defaultValue={platforms[0]?.one}>
      <TabsList aria-label="Platform">
        {platforms.map(({ one, warnings }) => (
          <TabsTrigger key={one} value={one}>
            {PLATFORM_NAMES[one]}
            {warnings.length > 0 && (
              <TriangleAlert aria-label="has warnings" className="size-3.5 text-warning" />
            )}
          </TabsTrigger>
        ))}
      </TabsList>
      {platforms.map(({ one, warnings, files }) => (
        <TabsContent key={one} value={one} className="flex flex-col gap-4">
          <PolicyWarnings app={app} warnings={warnings} />
          <PlatformFiles app={app} files={files} />
        </TabsContent>
      ))}
    </Tabs>
  );
}
