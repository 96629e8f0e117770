import type { MobileApp } from '@nephos/contracts';
import { FileCog } from 'lucide-react';
import { FIRST_PAGE } from '../../lib/keyset-pages.ts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PLATFORM_NAMES } from './platform.tsx';

/** What a draft has in place of its files. */
export function GeneratePrompt({ app: { id, platform } }: { app: MobileApp }) {
  const utils = trpc.useUtils();

  /** At once, so that the files take the prompt's place before the list was fetched again. */
  function show(configured: MobileApp) {
    utils.mobileApps.list.setInfiniteData(
      FIRST_PAGE,
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
        description={`Everything that a build for ${PLATFORM_NAMES[platform]} needs is made from the settings of this app, with the steps to use it.`}
        action={
          <Button variant="primary" pending={generate.pending} onClick={() => generate.run({ id })}>
            Generate Build Config
          </Button>
        }
      />
      {generate.refusal && <Notice tone="danger" title={generate.refusal} />}
    </div>
  );
}
