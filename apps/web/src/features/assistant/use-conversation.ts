import type { AssistantMessage } from '@nephos/contracts';
import { skipToken } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallError, fieldErrorsOf, isUnauthorized, sentenceOf, statusOf } from '../../lib/errors.ts';
import { resourceIdFor, useAssistant } from '../../shell/assistant-context.tsx';
import { sendToLogin } from '../../shell/send-to-login.ts';
import { trpc } from '../../trpc.ts';
import { toast } from '../../ui/toast.ts';
import type { ReplyBuffer } from './reply-buffer.ts';
import { useReply } from './use-reply.ts';
import { type Turn, useTurn } from './use-turn.ts';

const GONE = 'The conversation, or what it is about, was deleted. Send your question again.';

/** An answer as far as it came. */
export interface LiveReply {
  text: string;
  /** Tools that were called and have no message yet. */
  tools: readonly string[];
  /** Whether its connection was lost and is sought again. */
  lost: boolean;
}

interface Refusal {
  sessionId: string | null;
  sentence: string;
}

export type Conversation = ReturnType<typeof useConversation>;

/** The present session: what was said, what is being answered, and what the person writes. */
export function useConversation() {
  const { sessionId, scope, subject, dropSubject } = useAssistant();
  const { assistant } = trpc.useUtils();
  const messages = trpc.assistant.messages.useQuery(sessionId === null ? skipToken : { sessionId });
  const sending = trpc.assistant.send.useMutation();
  const { turn, ask, enter } = useTurn(sessionId);
  const [draft, setDraft] = useState('');
  const [refusal, setRefusal] = useState<Refusal>();

  const said = messages.data ?? [];
  const waiting = isUnanswered(said);
  const { buffer, lost } = useReply({
    sessionId: turn.phase === 'listening' ? sessionId : null,
    replyId: turn.replyId,
    turn: turn.number,
    onEnd: (buffer, error) => void ended(buffer, error),
  });
  const busy = turn.phase === 'asking' || (turn.phase === 'listening' && (buffer.begun || waiting));

  async function ended({ begun, done }: ReplyBuffer, error: Error | null) {
    const failure = error ?? done?.error;
    // Specification §8: nothing more is said of it.
    if (failure) console.error('The assistant’s answer broke off:', failure);
    else if (begun || waiting) await assistant.messages.invalidate();
    // The answer that was in the way has come to its end.
    if (begun) setRefusal(undefined);
    enter(turn, 'idle');
  }

  /** What was refused is about what was written before. */
  function write(text: string) {
    setDraft(text);
    setRefusal(undefined);
  }

  function send(text: string) {
    const message = text.trim();
    if (busy || sessionId === null || message === '') return;
    const asked = ask(message);
    write('');
    sending
      .mutateAsync({ sessionId, message, resourceScope: scope, resourceId: resourceIdFor(scope, subject) })
      .then(({ message, replyId }) => {
        assistant.messages.setData({ sessionId }, (before = []) => [...before, message]);
        enter(asked, 'listening', replyId);
      })
      // The client throws nothing else.
      .catch((error: CallError) => refused(error, asked));
  }

  /** Gives the words back. */
  function refused(error: CallError, asked: Turn) {
    if (isUnauthorized(error)) return sendToLogin();
    setDraft((typed) => [asked.question, typed].filter(Boolean).join('\n'));
    const status = statusOf(error);
    if (status === 404) return gone(asked);
    const sentence = fieldErrorsOf(error).message ?? sentenceOf(error, 'The message could not be sent.');
    setRefusal({ sessionId: asked.sessionId, sentence });
    // Another reply is being written, or the message may have come to the server after all.
    const mayBeAnswered = status === undefined || status === 409;
    if (mayBeAnswered) void assistant.messages.invalidate();
    enter(asked, mayBeAnswered ? 'listening' : 'idle');
  }

  /** The conversation was deleted in another window, or what it is about was. */
  function gone(asked: Turn) {
    toast({ title: 'That is gone', description: GONE, variant: 'destructive' });
    dropSubject();
    enter(asked, 'idle');
    // Where it is the conversation, another one takes its place.
    void assistant.messages.invalidate();
  }

  return {
    messages,
    /** Another one with each question, and with each session. */
    turn: `${sessionId} ${turn.number}`,
    question: turn.question,
    busy,
    /** Null while none is being written. */
    reply: busy && !(buffer.done && !waiting) ? { ...liveReply(buffer, said), lost } : null,
    /** Whether there is a reply to stop. */
    stoppable: busy && turn.phase === 'listening',
    /** What to send again, where the last answer is missing or was cut short. */
    retriable: busy || !isCutShort(said) ? undefined : said.findLast(isQuestion)?.content,
    draft,
    write,
    /** Why the words were given back. */
    refusal: refusal?.sessionId === sessionId ? refusal.sentence : undefined,
    send,
  };
}

const isQuestion = ({ sender }: AssistantMessage) => sender === 'user';

/** Whether no answer followed the last question. */
function isUnanswered(said: readonly AssistantMessage[]): boolean {
  const last = said.at(-1);
  return last !== undefined && last.sender !== 'assistant';
}

function isCutShort(said: readonly AssistantMessage[]): boolean {
  return isUnanswered(said) || said.at(-1)?.metadata.truncated === true;
}

/** Without the tools whose messages are stored already. */
function liveReply({ text, tools }: ReplyBuffer, said: readonly AssistantMessage[]): Omit<LiveReply, 'lost'> {
  const stored = said.length - 1 - said.findLastIndex(isQuestion);
  return { text, tools: tools.slice(stored) };
}
