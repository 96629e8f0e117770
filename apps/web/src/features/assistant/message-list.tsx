import { ArrowDown, RotateCcw } from 'lucide-react';
import { useEffect } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Answer } from './answer.tsx';
import { Bubble, Message, Question, ToolBadge } from './message.tsx';
import { SCOPES } from './scopes.ts';
import type { Conversation, LiveReply } from './use-conversation.ts';
import { useFollow } from './use-follow.ts';

/** What was said so far, its end in sight while it grows. */
export function MessageList({ conversation }: { conversation: Conversation }) {
  const { messages, question, reply, retriable, send, turn } = conversation;
  const { frame, content, following, look, toEnd } = useFollow();

  // A question and its answer are looked at, wherever one was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each turn
  useEffect(toEnd, [turn, toEnd]);

  function toLatest() {
    toEnd();
    // The button goes.
    frame.current?.focus();
  }

  return (
    <div className="relative min-h-0 grow basis-0">
      <section
        ref={frame}
        onScroll={look}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame has to be reachable by keyboard
        tabIndex={0}
        aria-label="Conversation"
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div ref={content} className="flex min-h-full flex-col gap-4 p-4">
          <Said messages={messages} />
          {messages.data?.length === 0 && question === null && <Suggestions onAsk={send} />}
          {question !== null && <Question text={question} />}
          {reply && <Live reply={reply} />}
          {retriable !== undefined && <Retry onClick={() => send(retriable)} />}
        </div>
      </section>
      {!following && <JumpToLatest onClick={toLatest} />}
    </div>
  );
}

function Retry({ onClick }: { onClick: () => void }) {
  return (
    <Button size="sm" className="self-end" onClick={onClick}>
      <RotateCcw aria-hidden="true" />
      Retry
    </Button>
  );
}

function JumpToLatest({ onClick }: { onClick: () => void }) {
  return (
    <Button
      size="sm"
      onClick={onClick}
      className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full! bg-raised! shadow-overlay"
    >
      <ArrowDown aria-hidden="true" />
      Jump to latest
    </Button>
  );
}

/** What is stored. An answer is announced here, once and whole, not while it is being written. */
function Said({ messages }: Pick<Conversation, 'messages'>) {
  const { data, error, isLoading } = messages;
  if (error && !data) return <LoadFailure query={messages} failure="Failed to load the conversation" />;
  return (
    <>
      {isLoading && (
        <SkeletonGroup label="Loading the conversation">
          <Skeleton className="ml-auto h-10 w-56 rounded-xl" />
          <Skeleton className="mt-4 h-24" />
        </SkeletonGroup>
      )}
      {/* There once its content is, so that what was said before is not announced. */}
      {data && (
        <div role="log" aria-label="Messages" className="flex min-w-0 flex-col gap-4 empty:hidden">
          {data.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </div>
      )}
    </>
  );
}

function Live({ reply: { text, tools, lost } }: { reply: LiveReply }) {
  return (
    <Bubble by="Assistant">
      {tools.length > 0 && (
        <ul aria-label="Tools" className="mb-3 flex flex-wrap gap-1.5">
          {tools.map((name, index) => (
            <li key={index} className="max-w-full">
              <ToolBadge name={name} />
            </li>
          ))}
        </ul>
      )}
      {text === '' ? (
        <p role="status" className="flex items-center gap-2 text-muted">
          <Spinner />
          Thinking...
        </p>
      ) : (
        <Answer text={text} />
      )}
      {lost && (
        <p role="status" className="mt-2 text-faint text-sm">
          The connection was lost. Reconnecting…
        </p>
      )}
    </Bubble>
  );
}

/** What an empty conversation shows: what one can ask about, and questions to begin with. */
function Suggestions({ onAsk }: { onAsk: (question: string) => void }) {
  const { scope } = useAssistant();
  const { about, suggestions } = SCOPES[scope];
  return (
    <div className="my-auto flex flex-col items-center gap-5 py-6 text-center">
      <p className="max-w-sm text-balance text-muted">{about}</p>
      <ul aria-label="Suggested questions" className="flex w-full max-w-sm flex-col gap-2">
        {suggestions.map((question) => (
          <li key={question}>
            <button
              type="button"
              onClick={() => onAsk(question)}
              className="w-full rounded-lg border border-line-strong px-3.5 py-2.5 text-left transition-colors hover:bg-hover"
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
