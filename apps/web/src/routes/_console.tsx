import { createFileRoute } from '@tanstack/react-router';
import { lazy } from 'react';
import { InstallationWatch } from '../features/marketplace/installation-watch.tsx';
import { Shell } from '../shell/shell.tsx';

export const Route = createFileRoute('/_console')({ component: Console });

const loadPanel = () => import('../features/assistant/assistant-panel.tsx');
const AssistantPanel = lazy(() => loadPanel().then(({ AssistantPanel }) => ({ default: AssistantPanel })));

/** Fetches the assistant's panel ahead of its first opening. */
function preloadPanel() {
  // A failure here is ignored: opening the panel loads it again, and shows the error then.
  loadPanel().catch(() => {});
}

function Console() {
  return (
    <>
      <Shell Panel={AssistantPanel} preloadPanel={preloadPanel} />
      <InstallationWatch />
    </>
  );
}
