import { setTimeout as sleep } from 'node:timers/promises';
import type { Responder, ResponderEvent, Turn } from '../responder.ts';
import { chooseIntent } from './choose-intent.ts';
import { inContext } from './follow-up.ts';
import type { LocalTurn } from './intent.ts';
import { answerUnknown, nothingCalled } from './intents/unknown.ts';
import { withNames } from './names.ts';
import { readQuestion } from './question.ts';
import { ReadRefusal } from './read.ts';

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
  const read: LocalTurn = { ...turn, asked: readQuestion(turn.question), said: new Map() };
  try {
    const { turn: meant, missing } = yield* inContext(read);
    const intent = chooseIntent(meant.asked, turn.scope);
    if (intent?.about && !intent.takesDetails && missing !== '') return nothingCalled(missing);
    if (intent) return yield* intent.answer(meant);
    const named: LocalTurn = { ...meant, asked: yield* withNames(meant) };
    return yield* chooseIntent(named.asked, turn.scope)?.answer(named) ?? answerUnknown(read);
  } catch (error) {
    if (error instanceof ReadRefusal) return `I could not read what this needs. ${error.message}`;
    throw error;
  }
}
