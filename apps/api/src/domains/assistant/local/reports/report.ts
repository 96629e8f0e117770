import type { AssistantScope } from '@nephos/contracts';
import type { ResponderEvent, Turn } from '../../responder/responder.ts';
import type { Words } from './question.ts';

/** A turn with its question read. */
export interface LocalTurn extends Turn {
  words: Words;
  /** What tools have said in this turn, by their names and arguments. */
  said: Map<string, string>;
}

/** Tells of the tools that it calls, and ends with the answer as Markdown. */
export type Answer = AsyncGenerator<Extract<ResponderEvent, { type: 'tool' }>, string>;

/** One kind of question that can be answered: a report on what the person has, or a guide. */
export interface Topic {
  name: string;
  /** A question that it answers, which the help offers; '' for none. */
  example: string;
  /** Tabs in which the help offers it first. */
  scopes: readonly AssistantScope[];
  /** Lines for `hasKeywords`; one that fits is enough. */
  keywords: readonly string[];
  /** Lines that are enough in one of its own tabs. */
  keywordsInScope?: readonly string[];
  /** Lines that are enough where there are hardly any other words. */
  keywordsAlone?: readonly string[];
  answer(turn: LocalTurn): Answer;
}
