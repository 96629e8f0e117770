import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';

/** Sends a mail to whoever looks, and says what the server for mail has against it. */
export function TestMail() {
  const utils = trpc.useUtils();
  const send = useAction(trpc.admin.sendTestMail.useMutation(), {
    success: 'Test mail sent. Look into your inbox.',
    failure: 'Failed to send a test mail',
    refresh: [utils.admin.engines],
  });
  return (
    <Button size="sm" pending={send.pending} onClick={() => send.run()}>
      Send a test mail
    </Button>
  );
}
