import { skipToken } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sentenceOf, statusOf } from '../../lib/errors.ts';
import { trpc } from '../../lib/trpc.ts';
import { resourceIdFor, type Subject, useAssistant } from '../../shell/assistant-context.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { preloadProse } from './answer.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { PanelFrame, type PanelFrameProps, PanelHeader } from './panel-frame.tsx';
import { PastConversations } from './past-conversations.tsx';
import { SCOPE_ORDER, SCOPES } from './scopes.ts';
import { type Conversation, useConversation } from './use-conversation.ts';

/** The assistant. Closed, it goes on listening to the answer that is being written. */
export function AssistantPanel({ beside }: Pick<PanelFrameProps, 'beside'>) {
  const { open, close, asked } = useAssistant();
  const conversation = useConversation();
  const [past, setPast] = useState(false);
  const [askedBefore, setAskedBefore] = useState(asked);
  useNewSessionIfGone(conversation);
  useEffect(preloadProse, []);

  // Whoever opens it wants to ask.
  if (asked !== askedBefore) {
    setAskedBefore(asked);
    setPast(false);
  }

  return (
    <PanelFrame open={open} beside={beside} onClose={close}>
      <PanelHeader
        fresh={conversation.messages.data?.length === 0}
        past={past}
        onPast={() => setPast(!past)}
      />
      {past ? <PastConversations onBack={() => setPast(false)} /> : <Chat conversation={conversation} />}
    </PanelFrame>
  );
}

function Chat({ conversation }: { conversation: Conversation }) {
  const { scope, setScope, startError, startSession, starting } = useAssistant();
  return (
    <Tabs
      value={scope}
      onValueChange={(value) => setScope(SCOPE_ORDER.find((name) => name === value) ?? scope)}
      className="flex min-h-0 grow flex-col"
    >
      <TabsList aria-label="Scope" className="shrink-0 px-2">
        {SCOPE_ORDER.map((name) => (
          <TabsTrigger key={name} value={name} className="max-sm:px-2!">
            {SCOPES[name].title}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value={scope} tabIndex={-1} className="flex min-h-0 grow flex-col pt-0! outline-none">
        <MessageList conversation={conversation} />
        <div className="shrink-0 border-line border-t px-4 pt-3 pb-3">
          {startError && !starting && (
            <Notice
              tone="danger"
              className="mb-3"
              title={sentenceOf(startError, "Couldn't start the conversation.")}
              action={
                <Button size="sm" onClick={startSession}>
                  Try again
                </Button>
              }
            />
          )}
          <SubjectChip />
          <Composer conversation={conversation} />
          <ModelNote />
        </div>
      </TabsContent>
    </Tabs>
  );
}

/** The session of before a reload may have been deleted, or be someone else's. */
function useNewSessionIfGone({ messages: { error } }: Conversation) {
  const { startSession } = useAssistant();
  const gone = error !== null && statusOf(error) === 404;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is gone
  useEffect(() => {
    if (gone) startSession();
  }, [gone]);
}

/** The one thing that the next question is about, where there is one, and the way to ask about all. */
function SubjectChip() {
  const { scope, subject, dropSubject } = useAssistant();
  if (subject === null || resourceIdFor(scope, subject) === null) return null;
  return (
    <div className="flex min-w-0 items-center pb-2">
      <p className="flex min-w-0 items-center gap-1 rounded-full border border-line-strong bg-sunken pl-3 text-muted text-sm">
        <span className="min-w-0 truncate">
          About <SubjectName subject={subject} />
        </span>
        <IconButton label="Ask about everything" size="sm" className="rounded-full!" onClick={dropSubject}>
          <X />
        </IconButton>
      </p>
    </div>
  );
}

function SubjectName({ subject: { kind, id } }: { subject: Subject }) {
  const project = trpc.projects.get.useQuery(kind === 'project' ? { id } : skipToken);
  const database = trpc.databases.get.useQuery(kind === 'database' ? { id } : skipToken);
  const image = trpc.containers.get.useQuery(kind === 'image' ? { id } : skipToken);
  const name = project.data?.name ?? database.data?.name ?? image.data?.name;
  return name === undefined ? `this ${kind}` : <strong className="font-medium text-fg">{name}</strong>;
}

/** Who answers. */
function ModelNote() {
  const { data } = trpc.assistant.model.useQuery();
  return (
    <p className="mt-2 min-h-5 text-faint text-sm">
      {data && (
        <>
          <span className="font-medium text-muted">{data.name}</span>{' '}
          {data.local
            ? '· rule-based. Set OPENAI_API_KEY to use a model.'
            : '· can make mistakes. Check important answers.'}
        </>
      )}
    </p>
  );
}
