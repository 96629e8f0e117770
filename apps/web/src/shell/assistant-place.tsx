import { lazy, Suspense, useState } from 'react';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useAssistant } from './assistant-context.tsx';
import { MissingPartToast } from './missing-part-toast.tsx';
import { PANEL_WIDTH } from './widths.ts';

const AssistantPanel = lazy(() =>
  import('../features/assistant/assistant-panel.tsx').then(({ AssistantPanel }) => ({
    default: AssistantPanel,
  })),
);

/**
 * Where the assistant's panel is. It is loaded when it is opened first, and stays: an answer goes on being written only
 * while somebody listens. Where there is room, the page stands beside it.
 */
export function AssistantPlace({ beside }: { beside: boolean }) {
  const { open } = useAssistant();
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <>
      {open && beside && <div style={{ width: PANEL_WIDTH }} className="shrink-0" />}
      <ErrorBoundary fallback={(error) => <MissingPartToast error={error} wanted={open} />}>
        <Suspense>
          <AssistantPanel beside={beside} />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
