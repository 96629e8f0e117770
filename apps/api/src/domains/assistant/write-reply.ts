import type { Logger } from 'pino';
import type { Batches } from '../../platform/batches.ts';
import type { Feed } from './feed.ts';
import type { Piece } from './pieces.ts';
import type { Ending } from './reply-end.ts';
import type { Addition } from './reply-store.ts';
import { type Responder, ResponderFailure, type Turn } from './responder/responder.ts';
import { gatherText, storable } from './text-pieces.ts';

/** UTF-16 units of one answer. */
const MAX_ANSWER = 64 * 1024;
/** UTF-16 units that are kept of what one tool said. */
const MAX_TOOL_CONTENT = 4000;
/** UTF-16 units of a tool's name: a model can make names up. */
const MAX_TOOL_NAME = 64;
const TOO_LONG = 'The answer was too long.';
const FAILED = 'The answer couldn’t be written. Ask again.';

/** Why a reply is given up; as the reason of an abort, with the sentence for whoever reads it. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

export interface Writing {
  replyId: string;
  /** Its `signal` is the writer's: aborted with `GivenUp`, it ends the reply. */
  turn: Turn;
  responder: Responder;
  feed: Feed;
  store: Batches<Addition, void>;
  log: Logger;
}

/** Writes one reply into its feed and, behind that, into PostgreSQL. Resolves to how it ended; never rejects. */
export async function writeReply(writing: Writing): Promise<Ending> {
  const { replyId, turn, responder, feed, log } = writing;
  const metadata: Ending['metadata'] = { model: responder.model.name };
  const behind = storeBehind(writing);
  const text = gatherText((words) => behind.keep(feed.push({ type: 'text', text: words })));
  let error = '';
  let truncated = false;
  try {
    let length = 0;
    for await (const event of untilAborted(responder.answer(turn), turn.signal)) {
      if (event.type === 'text') {
        const room = MAX_ANSWER - length;
        text.add(event.text.slice(0, room));
        length += event.text.length;
        if (length > MAX_ANSWER) throw new ResponderFailure(TOO_LONG);
      } else if (event.type === 'tool') {
        text.flush();
        const content = storable(event.content.slice(0, MAX_TOOL_CONTENT));
        const toolName = storable(event.toolName.slice(0, MAX_TOOL_NAME));
        behind.keep(feed.push({ type: 'tool', toolName, content }));
      } else {
        metadata.promptTokens = event.promptTokens;
        metadata.completionTokens = event.completionTokens;
      }
    }
  } catch (cause) {
    truncated = true;
    error = sentenceOf(turn.signal.aborted ? turn.signal.reason : cause);
    if (error === FAILED) log.error({ err: cause, replyId }, 'a reply of the assistant failed');
  }
  text.flush();
  text.end();
  await behind.idle();
  const done = { seq: feed.pieces.length + 1, event: { type: 'done' as const, truncated, error } };
  return { replyId, pieces: [...feed.pieces], done, metadata };
}

function sentenceOf(cause: unknown): string {
  if (cause instanceof GivenUp || cause instanceof ResponderFailure) return cause.message;
  return FAILED;
}

/** The events up to an abort, which is thrown at once, however long the next event would have been in coming. */
async function* untilAborted<T>(events: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => {});
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await Promise.race([iterator.next(), aborted]);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: what does not hear the abort must not hold up the end of the reply.
    iterator.return?.().then(undefined, () => {});
  }
}

/** Stores pieces in their order while more come; what failed to be stored is tried again with the next. */
function storeBehind({ replyId, store, log }: Writing) {
  let unstored: Piece[] = [];
  let storing: Promise<void> | undefined;

  async function storeAll(): Promise<void> {
    while (unstored.length > 0) {
      const pieces = unstored;
      unstored = [];
      try {
        await store.add({ replyId, pieces });
      } catch (error) {
        log.warn({ err: error, replyId }, 'pieces of a reply could not be stored yet');
        unstored = [...pieces, ...unstored];
        break;
      }
    }
    // It ends in the same turn as the last look at what is left, so that no piece falls between.
    storing = undefined;
  }

  return {
    keep(piece: Piece): void {
      unstored.push(piece);
      storing ??= storeAll();
    },
    idle: async () => storing,
  };
}
