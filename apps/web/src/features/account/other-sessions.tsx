import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';

/** Logs everybody out but whoever looks. */
export function EndOthers() {
  const utils = trpc.useUtils();
  const end = useAction(trpc.auth.endOtherSessions.useMutation(), {
    success: 'Other sessions logged out',
    failure: 'Failed to log out other sessions',
    serverSpeaks: true,
    refresh: [utils.auth.sessions],
  });
  return (
    <Button pending={end.pending} onClick={() => end.run()}>
      Log out all others
    </Button>
  );
}
