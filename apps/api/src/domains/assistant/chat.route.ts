import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type AppRouter, chatPath, contract, type Outputs } from '@nephos/contracts';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../context.ts';
import { createRestCall } from '../../http/rest.ts';
import { chatLines } from './chat-lines.ts';
import { type Piece, readPieces } from './pieces.ts';
import { storedPieces } from './reply-store.ts';

/** Milliseconds without a word after which a comment is sent, so that nothing on the way takes us for dead. */
const HEARTBEAT_MS = 15_000;
/** Milliseconds for which a client may leave what it was sent unread. */
const STUCK_MS = 15_000;
/** Bytes that wait for the client in this process; what comes after waits in the reply, which has a bound of its own. */
const BUFFER_BYTES = 16 * 1024;

/**
 * `POST /api/assistant/chat/{sessionId}`: `assistant.send`, then the reply as it is written, in the same answer
 * (specification §7, reliability §2). What is refused is an ordinary error; after that nothing is. The connection is
 * the reply's reader: when it goes, so does the model's.
 */
export function addChatRoute(app: FastifyInstance, deps: Deps, router: AppRouter): void {
  const row = contract.assistant.send;
  const call = createRestCall(deps, router, 'assistant.send', row);
  app.post(chatPath(':sessionId'), { bodyLimit: row.bodyLimit }, async (request, reply) => {
    const gone = new AbortController();
    // Of the answer: a request closes as soon as its body is read.
    reply.raw.once('close', () => gone.abort());
    const { output } = await call(request, reply);
    // The procedure's own schema has checked its output.
    const { replyId } = output as Outputs['assistant']['send'];
    const lines = chatLines(piecesOf(deps, replyId, gone.signal));
    reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
    const options = { objectMode: false, highWaterMark: BUFFER_BYTES };
    return reply.send(Readable.from(cutWhenStuck(reply.raw, lines), options));
  });
}

/** A reply's pieces as they are written; where an earlier request is repeated by its key, those that there are. */
function piecesOf(
  { assistant, db }: Deps,
  replyId: string,
  signal: AbortSignal,
): AsyncIterable<Piece | 'quiet'> {
  const running = assistant.running(replyId);
  if (!running) return writtenPieces(db, replyId);
  running.chats += 1;
  const leave = () => assistant.leaveChat(running);
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return readPieces(running.feed, { after: 0, signal, quietAfter: HEARTBEAT_MS });
}

async function* writtenPieces(db: Deps['db'], replyId: string): AsyncGenerator<Piece> {
  yield* await storedPieces(db, replyId);
}

/** Hangs up on a client that has not taken the last line for too long. */
async function* cutWhenStuck(raw: ServerResponse, lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    const timer = setTimeout(() => raw.destroy(), STUCK_MS);
    try {
      if (line !== '') yield line;
    } finally {
      clearTimeout(timer);
    }
  }
}
