import type { Inputs, Outputs } from '@nephos/contracts';
import type { ResponderEvent } from '../../responder/responder.ts';
import type { LocalTurn } from './report.ts';

/** Tells of the tools that it calls, and ends with what they said. */
export type Reading<T> = AsyncGenerator<Extract<ResponderEvent, { type: 'tool' }>, T>;

/** A tool that the answer needs refused; the message is its sentence. */
export class ReadRefusal extends Error {
  override readonly name = 'ReadRefusal';
}

/** Rows of one page; a tool may say fewer of rows that are long. */
const PAGE_ROWS = 25;

/** The beginning of a list, newest first. */
export interface Newest<T> {
  rows: readonly T[];
  /** Whether there are no others. */
  isAll: boolean;
}

/** Lists that have pages. */
type Paged = 'projects' | 'databases' | 'containers' | 'storage' | 'mobileApps';

/** A procedure without input is called with no arguments. */
// biome-ignore lint/suspicious/noConfusingVoidType: tRPC writes `void` for a call without an argument
type InputOf<I> = [I] extends [void] ? Record<string, never> : I & object;

/**
 * Calls the tool of a procedure and tells of it, once a turn for the same arguments. A list that was cut gives its first
 * rows. Throws `ReadRefusal`.
 */
export async function* read<D extends keyof Outputs, P extends keyof Outputs[D] & keyof Inputs[D] & string>(
  turn: LocalTurn,
  [domain, procedure]: readonly [D, P],
  input: InputOf<Inputs[D][P]>,
): Reading<Outputs[D][P]> {
  return (yield* say<Outputs[D][P]>(turn, `${domain}_${procedure}`, input)).answer;
}

/** The first page of somebody's resources of a kind. Throws `ReadRefusal`. */
export async function* readNewest<D extends Paged>(
  turn: LocalTurn,
  domain: D,
): Reading<Newest<Outputs[D]['list'][number]>> {
  const { answer: rows, isCut } = yield* say<Outputs[D]['list'][number][]>(turn, `${domain}_list`, {
    limit: PAGE_ROWS,
  });
  return { rows, isAll: !isCut && rows.length < PAGE_ROWS };
}

/** As `readNewest`, of a list that has no pages. */
export async function* readWhole<D extends keyof Outputs, P extends keyof Outputs[D] & string>(
  turn: LocalTurn,
  [domain, procedure]: readonly [D, P],
): Reading<{ rows: Outputs[D][P]; isAll: boolean }> {
  const { answer, isCut } = yield* say<Outputs[D][P]>(turn, `${domain}_${procedure}`, {});
  return { rows: answer, isAll: !isCut };
}

/** What a reading ends with, or nothing where a tool refuses: what it is about may be gone since. */
export async function* unlessRefused<T>(reading: Reading<T>): Reading<T | undefined> {
  try {
    return yield* reading;
  } catch (error) {
    if (error instanceof ReadRefusal) return undefined;
    throw error;
  }
}

/** Calls a tool whose procedure answers with `T`; of a list that was cut, `answer` is its rows. */
async function* say<T>(
  { tools, said }: LocalTurn,
  toolName: string,
  input: object,
): Reading<{ answer: T; isCut: boolean }> {
  const call = `${toolName} ${JSON.stringify(input)}`;
  const known = said.get(call);
  const content = known ?? (await tools.call(toolName, input));
  if (known === undefined) {
    said.set(call, content);
    yield { type: 'tool', toolName, content };
  }
  const answer: unknown = JSON.parse(content);
  if (isObject(answer) && typeof answer.error === 'string' && Object.keys(answer).length === 1) {
    throw new ReadRefusal(answer.error);
  }
  const isCut = isObject(answer) && 'note' in answer && 'rows' in answer;
  // What the toolbox answers with is JSON of the procedure's own output.
  return { answer: (isCut ? answer.rows : answer) as T, isCut };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
