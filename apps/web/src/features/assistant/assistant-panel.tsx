import { useEffect, useState } from 'react';
import { sentenceOf, statusOf } from '../../lib/errors.ts';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { preloadProse } from './answer.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { ModelNote } from './model-note.tsx';
import { PanelFrame, type PanelFrameProps } from './panel-frame.tsx';
import { PanelHeader } from './panel-header.tsx';
import { PastConversations } from './past-conversations.tsx';
import { SCOPE_ORDER, SCOPES } from './scopes.ts';
import { SubjectChip } from './subject-chip.tsx';
import { type Conversation, useConversation } from './use-conversation.ts';

/** The assistant, specification §2. Closed, it goes on listening to the answer that is being written. */
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
      <TabsList aria-label="What it is about" className="shrink-0 px-2">
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
              title={sentenceOf(startError, 'The conversation could not be started.')}
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
