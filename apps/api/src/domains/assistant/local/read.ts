import type { Inputs, Outputs } from '@nephos/contracts';
import type { ResponderEvent } from '../responder.ts';
import type { LocalTurn } from './intent.ts';

/** Tells of the tools that it calls, and ends with what they said. */
export type Reading<T> = AsyncGenerator<Extract<ResponderEvent, { type: 'tool' }>, T>;

/** A tool that the answer needs refused; the message is its sentence. */
export class ReadRefusal extends Error {
  override readonly name = 'ReadRefusal';
}

/** Rows of one page: as many as a tool can surely say. */
export const PAGE_ROWS = 25;

/** A procedure without input is called with no arguments. */
// biome-ignore lint/suspicious/noConfusingVoidType: tRPC writes `void` for a call without an argument
type InputOf<I> = [I] extends [void] ? Record<string, never> : I & object;

/**
 * Calls the tool of a procedure and tells of it, once a turn for the same arguments. Of a list that was cut, its first
 * rows. Throws `ReadRefusal`.
 */
export async function* read<D extends keyof Outputs, P extends keyof Outputs[D] & keyof Inputs[D] & string>(
  { tools, said }: LocalTurn,
  [domain, procedure]: readonly [D, P],
  input: InputOf<Inputs[D][P]>,
): Reading<Outputs[D][P]> {
  const toolName = `${domain}_${procedure}`;
  const call = `${toolName} ${JSON.stringify(input)}`;
  const known = said.get(call);
  const content = known ?? (await tools.call(toolName, input));
  if (known === undefined) {
    said.set(call, content);
    yield { type: 'tool', toolName, content };
  }
  // What the toolbox answers with is JSON of the procedure's own output, or one of these two.
  const answer: unknown = JSON.parse(content);
  if (isObject(answer) && typeof answer.error === 'string' && Object.keys(answer).length === 1) {
    throw new ReadRefusal(answer.error);
  }
  return (isObject(answer) && 'note' in answer && 'rows' in answer ? answer.rows : answer) as Outputs[D][P];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
