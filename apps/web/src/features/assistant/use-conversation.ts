import type { AssistantMessage } from '@nephos/contracts';
import { skipToken } from '@tanstack/react-query';
import { trpc } from '../../lib/trpc.ts';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { useQuestion } from './use-question.ts';
import type { ReplyBuffer } from './use-reply.ts';
import { useReply } from './use-reply.ts';
import { useTurns } from './use-turns.ts';

/** An answer as far as it came. */
export interface LiveReply {
  text: string;
  /** Tools that were called and have no message yet. */
  tools: readonly string[];
  /** Whether its connection was lost and is sought again. */
  lost: boolean;
}

export type Conversation = ReturnType<typeof useConversation>;

/** The present session: what was said, what is being answered, and what the person writes. */
export function useConversation() {
  const { sessionId } = useAssistant();
  const { assistant } = trpc.useUtils();
  const messages = trpc.assistant.messages.useQuery(sessionId === null ? skipToken : { sessionId });
  const { turn, ...turns } = useTurns(sessionId);
  const { draft, write, refusal, forgive, send } = useQuestion(turns);
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
    // What there is of the answer stays, and no toast is shown: who knows more looks into the browser's console.
    if (failure) console.error("The assistant's answer was interrupted:", failure);
    else if (begun || waiting) await assistant.messages.invalidate();
    // The answer that was in the way has come to its end.
    if (begun) forgive();
    turns.enter(turn, 'idle');
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
    refusal,
    send: (text: string) => {
      if (!busy) send(text);
    },
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
