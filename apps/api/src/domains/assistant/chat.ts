import type { NewAssistantMessage } from '@nephos/contracts';
import { Earlier, type Once } from '@nephos/contracts/implement';
import type { BytesAnswer } from '@nephos/contracts/kit';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { ask } from './ask.ts';
import type { AssistantParts } from './assistant.ts';
import { type Piece, readPieces } from './pieces.ts';
import { storedPieces } from './reply-store.ts';

/** Milliseconds without a word after which a comment is sent, so that nothing on the way takes us for dead. */
const HEARTBEAT_MS = 15_000;
/** A comment, which readers of events skip: it says at once, and again while nothing is written, that we are there. */
const COMMENT = ':\n\n';

/**
 * Asks, and answers the reply as it is written. What is refused is an ordinary error; after that nothing is. The
 * connection is the reply's reader: when it goes, so does the model's. Throws what `ask` does.
 */
export async function chat(
  ctx: UserContext,
  parts: AssistantParts,
  input: z.output<typeof NewAssistantMessage>,
  once: Once<UserContext>,
): Promise<BytesAnswer | Earlier<BytesAnswer>> {
  const asked = await once((inner) => ask(inner, parts.writer, input));
  if (!(asked instanceof Earlier)) return eventsOf(ctx, parts, asked.replyId);
  return new Earlier(eventsOf(ctx, parts, asked.output.replyId), asked.origin);
}

function eventsOf({ signal }: UserContext, parts: AssistantParts, replyId: string): BytesAnswer {
  return {
    type: 'text/event-stream; charset=utf-8',
    body: () => linesOf(piecesOf(parts, replyId, signal)),
  };
}

/** A reply's pieces as they are written; where an earlier request is repeated by its key, those that there are. */
function piecesOf(
  { writer, db }: AssistantParts,
  replyId: string,
  signal: AbortSignal | undefined,
): AsyncIterable<Piece | 'quiet'> {
  const running = writer.running(replyId);
  if (!running) return writtenPieces(db, replyId);
  running.chats += 1;
  const leave = () => writer.leaveChat(running);
  if (signal?.aborted) leave();
  else signal?.addEventListener('abort', leave, { once: true });
  return readPieces(running.feed, { after: 0, signal, quietAfter: HEARTBEAT_MS });
}

async function* writtenPieces(db: AssistantParts['db'], replyId: string): AsyncGenerator<Piece> {
  yield* await storedPieces(db, replyId);
}

/** One `data:` line of JSON for each piece of text, and `[DONE]` at the end. */
async function* linesOf(pieces: AsyncIterable<Piece | 'quiet'>): AsyncGenerator<string> {
  yield COMMENT;
  for await (const piece of pieces) yield piece === 'quiet' ? COMMENT : lineOf(piece);
  yield 'data: [DONE]\n\n';
}

function lineOf({ event }: Piece): string {
  if (event.type === 'text') return dataOf({ content: event.text });
  return event.type === 'done' && event.error !== '' ? dataOf({ content: '', error: event.error }) : '';
}

function dataOf(message: { content: string; error?: string }): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}
