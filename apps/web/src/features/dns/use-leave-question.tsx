import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DiscardDialog } from '../../ui/discard-dialog.tsx';

/** Asks before the page is left while something is `unsaved`; the question, to be shown. */
export function useLeaveQuestion(unsaved: boolean): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => unsaved,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return status === 'blocked' && <DiscardDialog onDiscard={proceed} onKeep={reset} />;
}
