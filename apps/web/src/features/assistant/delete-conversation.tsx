import type { AssistantSession } from '@nephos/contracts';
import { useAction } from '../../lib/use-action.ts';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogContent, DialogFooter } from '../../ui/dialog.tsx';

export interface DeleteConversationProps {
  session: AssistantSession;
  onClose: () => void;
}

/** Asks once. Its title, the beginning of a question, is nothing that one would type again. */
export function DeleteConversation({ session: { id, title }, onClose }: DeleteConversationProps) {
  const { sessionId, startSession } = useAssistant();
  const { assistant } = trpc.useUtils();
  const remove = useAction(trpc.assistant.removeSession.useMutation(), {
    success: 'Conversation deleted',
    failure: 'Failed to delete the conversation',
    serverSpeaks: true,
    refresh: [assistant.sessions],
    onDone: () => {
      onClose();
      if (id === sessionId) startSession();
    },
  });
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title="Delete Conversation?"
        description={`“${title}” goes with all of its messages. It cannot be taken back.`}
      >
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" pending={remove.pending} onClick={() => remove.run({ id })}>
            Delete conversation
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
