import { useCallback, useState } from 'react';

/** One question and its answer. */
export interface Turn {
  sessionId: string | null;
  number: number;
  /** Asking: the question is on its way. Listening: a reply may be being written. */
  phase: 'idle' | 'asking' | 'listening';
  /** What is on its way. */
  question: string | null;
  /** Id of the reply to it; undefined until the question came, and where a reply was begun elsewhere. */
  replyId: string | undefined;
}

/** A session's first begins by listening: the reply to an earlier question may still be being written. */
function firstTurn(sessionId: string | null): Turn {
  return { sessionId, number: 0, phase: 'listening', question: null, replyId: undefined };
}

export type Turns = ReturnType<typeof useTurns>;

export function useTurns(sessionId: string | null) {
  const [turn, setTurn] = useState(() => firstTurn(sessionId));
  if (turn.sessionId !== sessionId) setTurn(firstTurn(sessionId));

  /** Begins the next one by asking. */
  function ask(question: string): Turn {
    const next: Turn = { sessionId, number: turn.number + 1, phase: 'asking', question, replyId: undefined };
    setTurn(next);
    return next;
  }

  /** Nothing, once another one has begun. */
  const enter = useCallback(
    ({ sessionId, number }: Turn, phase: 'idle' | 'listening', replyId?: string) =>
      setTurn((now) =>
        now.sessionId === sessionId && now.number === number
          ? { ...now, phase, question: null, replyId }
          : now,
      ),
    [],
  );

  return { turn, ask, enter };
}
