import type { AssistantScope, FoundResource } from '@nephos/contracts';
import type { ResponderEvent, Turn } from '../responder.ts';
import type { Concept } from './concepts.ts';
import type { Question } from './question.ts';

/** A turn with its question read. */
export interface LocalTurn extends Turn {
  asked: Question;
  /** What tools have said in this turn, by their names and arguments. */
  said: Map<string, string>;
}

/** Tells of the tools that it calls, and ends with the answer as Markdown. */
export type Answer = AsyncGenerator<Extract<ResponderEvent, { type: 'tool' }>, string>;

/** One kind of question that the rules can answer. A new one is a file of its own and a line in `intents.ts`. */
export interface Intent {
  name: string;
  /** For the help: a question that it answers. */
  example: string;
  /** Tabs in which the help offers it; first choice there among equals. */
  scopes: readonly AssistantScope[];
  /** Kinds of resource of which it can be asked about one; a follow-up takes it to be the one last spoken of. */
  about?: readonly FoundResource['kind'][];
  /** Whether what else a follow-up says, as `on port 3000`, is a detail, and not the name of something. */
  takesDetails?: true;
  /** Any of these, each of them whole; the more of a question it says, the better it fits. */
  matches: readonly (readonly Concept[])[];
  /** Enough inside one of its scopes. */
  matchesInScope?: readonly (readonly Concept[])[];
  /** Enough where there are hardly any other words. */
  matchesShort?: readonly (readonly Concept[])[];
  /** Never with any of these. */
  unless?: readonly Concept[];
  answer(turn: LocalTurn): Answer;
}
