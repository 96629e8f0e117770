import { lazy, Suspense, useState } from 'react';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useAssistant } from './assistant-context.tsx';
import { MissingPartToast } from './missing-part-toast.tsx';

const AssistantPanel = lazy(() =>
  import('../features/assistant/assistant-panel.tsx').then(({ AssistantPanel }) => ({
    default: AssistantPanel,
  })),
);

/** Specification §2. */
export const PANEL_WIDTH = '500px';

/**
 * Where the assistant's panel is. It is loaded when it is opened first, and stays: an answer goes on being written only
 * while somebody listens. On wide windows the page makes room for it.
 */
export function AssistantPlace() {
  const { open } = useAssistant();
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <>
      {open && <div style={{ width: PANEL_WIDTH }} className="hidden shrink-0 2xl:block" />}
      <ErrorBoundary fallback={(error) => <MissingPartToast error={error} wanted={open} />}>
        <Suspense>
          <AssistantPanel />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
