import type { AssistantSession } from '@nephos/contracts';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatInstant } from '../../lib/format.ts';
import { FIRST_PAGE, KEYSET_PAGES, nextPages } from '../../lib/keyset-pages.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { type Action, useAction } from '../../lib/use-action.ts';
import { SUBJECT_KINDS, useAssistant } from '../../shell/assistant-context.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { SCOPES } from './scopes.ts';

/** The conversations so far, to go on with or to delete. */
export function PastConversations({ onBack }: { onBack: () => void }) {
  const list = trpc.assistant.sessions.useInfiniteQuery(FIRST_PAGE, {
    ...KEYSET_PAGES,
    // Each question makes it old.
    refetchOnMount: 'always',
  });
  const [deleted, setDeleted] = useState<AssistantSession>();
  const remove = useDeletion();
  const sessions = list.data?.pages.flat();

  return (
    <div className="min-h-0 grow overflow-y-auto overscroll-contain p-4">
      <div className="mb-3 flex items-center gap-2">
        <Button size="sm" variant="ghost" onClick={onBack} autoFocus>
          <ArrowLeft aria-hidden="true" />
          Back
        </Button>
        <h3 className="font-semibold">Past conversations</h3>
      </div>
      {!sessions && list.isLoading && <Loading />}
      {!sessions && list.error && <LoadFailure query={list} failure="Failed to load the conversations" />}
      {sessions?.length === 0 && <p className="py-10 text-center text-muted">No conversations yet</p>}
      <ul aria-label="Conversations" className="flex flex-col gap-2 empty:hidden">
        {sessions?.map((session) => (
          <li key={session.id}>
            <Row session={session} onOpened={onBack} onDelete={() => setDeleted(session)} />
          </li>
        ))}
      </ul>
      <MorePages {...nextPages(list, 'conversations')} />
      {deleted && (
        <DeleteConversation session={deleted} action={remove} onClose={() => setDeleted(undefined)} />
      )}
    </div>
  );
}

interface RowProps {
  session: AssistantSession;
  onOpened: () => void;
  onDelete: () => void;
}

function Row({ session, onOpened, onDelete }: RowProps) {
  const { id, title, resourceScope: scope, resourceId, updatedAt } = session;
  const { resume } = useAssistant();

  function open() {
    resume({
      id,
      scope,
      subject: resourceId === null ? null : { kind: SUBJECT_KINDS[scope], id: resourceId },
    });
    onOpened();
  }

  return (
    <div className="flex items-center gap-1 rounded-lg border border-line pr-1.5 transition-colors focus-within:border-line-strong hover:border-line-strong">
      <button type="button" onClick={open} className="min-w-0 grow rounded-lg px-3 py-2.5 text-left">
        <span className="block truncate font-medium">{title}</span>
        <span className="mt-1 flex flex-wrap items-center gap-2 text-muted text-sm">
          <Badge>{SCOPES[scope].title}</Badge>
          <time dateTime={updatedAt} title={formatInstant(updatedAt)}>
            {formatAgo(updatedAt)}
          </time>
        </span>
      </button>
      <IconButton label={`Delete ${title}`} title="Delete" onClick={onDelete}>
        <Trash2 />
      </IconButton>
    </div>
  );
}

function Loading() {
  return (
    <SkeletonGroup label="Loading the conversations">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-17 rounded-lg" />
        <Skeleton className="h-17 rounded-lg" />
        <Skeleton className="h-17 rounded-lg" />
      </div>
    </SkeletonGroup>
  );
}

/** Call it where it outlives the dialog: a deletion goes on when its dialog is left, and the next one has to show it. */
function useDeletion(): Action<{ id: string }> {
  const { assistant } = trpc.useUtils();
  return useAction(trpc.assistant.removeSession.useMutation(), {
    success: 'Conversation deleted',
    failure: 'Failed to delete the conversation',
    serverSpeaks: true,
    refresh: [assistant.sessions],
  });
}

interface DeleteConversationProps {
  session: AssistantSession;
  action: Action<{ id: string }>;
  onClose: () => void;
}

/** Asks once. Its title, the beginning of a question, is nothing that one would type again. */
function DeleteConversation({ session: { id, title }, action, onClose }: DeleteConversationProps) {
  const { sessionId, startSession } = useAssistant();

  function forget() {
    onClose();
    if (id === sessionId) startSession();
  }

  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title="Delete conversation?"
        description={`This permanently deletes “${title}” and all of its messages.`}
      >
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" pending={action.pending} onClick={() => action.run({ id }, forget)}>
            Delete conversation
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
