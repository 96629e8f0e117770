import type { AssistantModel, AssistantScope } from '@nephos/contracts';
import type { Toolbox } from './toolbox.ts';

/** What was said in a conversation, but for what tools said. */
export interface PastMessage {
  sender: 'user' | 'assistant';
  content: string;
}

/** One question and everything that its answer may rest on. */
export interface Turn {
  question: string;
  scope: AssistantScope;
  /** The person's own: checked before the turn began. */
  resourceId: string | null;
  /** What was said before in this conversation, oldest first, without the question. */
  history: readonly PastMessage[];
  tools: Toolbox;
  /** Aborts when nobody wants the answer any more, or its time is over. */
  signal: AbortSignal;
}

export type ResponderEvent =
  /** The next words of the answer, as Markdown. */
  | { type: 'text'; text: string }
  /** A tool was called; `content` is what it said, for the person to read. */
  | { type: 'tool'; toolName: string; content: string }
  /** What the turn took in all up to now. */
  | { type: 'usage'; promptTokens: number; completionTokens: number };

/** Whoever writes the answers: a model server, or rules of our own. */
export interface Responder {
  readonly model: AssistantModel;
  /** Writes one answer; it ends early where `turn.signal` aborts. Throws `ResponderFailure`. */
  answer(turn: Turn): AsyncIterable<ResponderEvent>;
}

/** Why there is no answer, or none to the end, in one sentence for the person who asked. */
export class ResponderFailure extends Error {
  override readonly name = 'ResponderFailure';
}
