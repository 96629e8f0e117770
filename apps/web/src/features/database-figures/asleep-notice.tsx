import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** That a server has to be woken before it can be asked. */
export function AsleepNotice({ id, what }: { id: string; what: string }) {
  const utils = trpc.useUtils();
  const wake = useAction(trpc.databaseFigures.wake.useMutation(), {
    failure: 'Failed to start the server',
    serverSpeaks: true,
    refresh: [utils.databaseFigures.statements, utils.databaseFigures.sessions],
  });
  return (
    <Notice
      title="The server is asleep"
      action={
        <Button size="sm" {...wake.button} onClick={() => wake.run({ id })}>
          Wake it
        </Button>
      }
    >
      <p>{what}</p>
    </Notice>
  );
}
