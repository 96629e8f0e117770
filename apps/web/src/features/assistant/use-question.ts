import { useState } from 'react';
import { type CallError, fieldErrorsOf, isUnauthorized, sentenceOf, statusOf } from '../../lib/errors.ts';
import { sendToLogin } from '../../lib/send-to-login.ts';
import { trpc } from '../../lib/trpc.ts';
import { resourceIdFor, useAssistant } from '../../shell/assistant-context.tsx';
import { toast } from '../../ui/toast.ts';
import type { Turn, Turns } from './use-turns.ts';

const GONE = 'This conversation or its resource was deleted. Send your question again.';

interface Refusal {
  sessionId: string | null;
  sentence: string;
}

/** What the person writes: the next question once it is sent, and given back where it is refused. */
export function useQuestion({ ask, enter }: Pick<Turns, 'ask' | 'enter'>) {
  const { sessionId, scope, subject } = useAssistant();
  const { assistant } = trpc.useUtils();
  const sending = trpc.assistant.send.useMutation();
  const draft = useDraft(sessionId);
  const refused = useRefusal(enter, draft);

  function send(text: string) {
    const message = text.trim();
    if (sessionId === null || message === '') return;
    const asked = ask(message);
    draft.write('');
    sending
      .mutateAsync({ sessionId, message, resourceScope: scope, resourceId: resourceIdFor(scope, subject) })
      .then(({ message, replyId }) => {
        assistant.messages.setData({ sessionId }, (before = []) => [...before, message]);
        enter(asked, 'listening', replyId);
      })
      // The client throws nothing else.
      .catch((error: CallError) => refused(error, asked));
  }

  return { ...draft, send };
}

type Draft = ReturnType<typeof useDraft>;

function useDraft(sessionId: string | null) {
  const [draft, setDraft] = useState('');
  const [refusal, setRefusal] = useState<Refusal>();

  /** What was refused is about what was written before. */
  function write(text: string) {
    setDraft(text);
    setRefusal(undefined);
  }

  return {
    draft,
    write,
    /** Puts a question before what was typed meanwhile. */
    giveBack: ({ question }: Turn) => setDraft((typed) => [question, typed].filter(Boolean).join('\n')),
    refuse: setRefusal,
    forgive: () => setRefusal(undefined),
    /** Why the words were given back. */
    refusal: refusal?.sessionId === sessionId ? refusal.sentence : undefined,
  };
}

/** What to do with a question that was refused: its words are given back. */
function useRefusal(enter: Turns['enter'], { giveBack, refuse }: Draft) {
  const { dropSubject } = useAssistant();
  const { assistant } = trpc.useUtils();

  /** The conversation was deleted in another window, or what it is about was. */
  function gone(asked: Turn) {
    toast({ title: 'No longer available', description: GONE, variant: 'destructive' });
    dropSubject();
    enter(asked, 'idle');
    // Where it is the conversation, another one takes its place.
    void assistant.messages.invalidate();
  }

  return (error: CallError, asked: Turn) => {
    if (isUnauthorized(error)) return sendToLogin();
    giveBack(asked);
    const status = statusOf(error);
    if (status === 404) return gone(asked);
    const sentence = fieldErrorsOf(error).message ?? sentenceOf(error, "Couldn't send the message.");
    refuse({ sessionId: asked.sessionId, sentence });
    // Another reply is being written, or the message may have come to the server after all.
    const mayBeAnswered = status === undefined || status === 409;
    if (mayBeAnswered) void assistant.messages.invalidate();
    enter(asked, mayBeAnswered ? 'listening' : 'idle');
  };
}
