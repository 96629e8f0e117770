import { setTimeout as sleep } from 'node:timers/promises';
import type { Responder, ResponderEvent, Turn } from '../responder/responder.ts';
import { wordsOf } from './reports/question.ts';
import { ReadRefusal } from './reports/read.ts';

/** Words of one piece, and milliseconds between two: fast, and still seen to come. */
const PIECE = /(?:\S+\s*){1,6}|\s+/g;
const PACE = 10;

/** Answers by rules, from what the person really has. It needs no key and no other server. */
export function createLocalResponder({ pace = PACE }: { pace?: number | undefined } = {}): Responder {
  return {
    model: { local: true, name: 'Local responder' },
    async *answer(turn) {
      const text = yield* answerOf(turn);
      for (const [piece] of text.matchAll(PIECE)) {
        if (turn.signal.aborted) return;
        yield { type: 'text', text: piece };
        // Ends the wait early when nobody listens any more; the next look at the signal sees it.
        if (pace > 0) await sleep(pace, undefined, { signal: turn.signal }).catch(() => {});
      }
    },
  };
}

async function* answerOf(turn: Turn): AsyncGenerator<ResponderEvent, string> {
  // Loaded with the first question: the console starts sooner, and takes less memory.
  const { answerUnknown, topicOf } = await import('./topics.ts');
  const words = wordsOf(turn.question);
  const topic = topicOf(words, turn.scope);
  if (!topic) return answerUnknown(turn.scope);
  try {
    return yield* topic.answer({ ...turn, words, said: new Map() });
  } catch (error) {
    if (error instanceof ReadRefusal) return `I couldn't look that up. ${error.message}`;
    throw error;
  }
}
