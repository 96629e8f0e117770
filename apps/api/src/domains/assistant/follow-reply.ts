import { Id, type ReplyEvent } from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { UserContext } from '../../core/context.ts';
import type { AssistantParts } from './assistant.ts';
import { noteReader } from './leases.ts';
import { type Piece, readPieces } from './pieces.ts';
import { storedPieces, storedSource } from './reply-store.ts';
import { findSession } from './sessions.ts';

/** Milliseconds after which a reader on another replica than the writer's says again that it is there. */
const NOTE_EVERY = 5000;

export interface ReplyReading {
  sessionId: string;
  replyId?: string | undefined;
  /** `<reply id>:<seq>` of the last event that the reader has. */
  lastEventId?: string | undefined;
}

interface Place {
  replyId: string;
  isWriting: boolean;
  seq: number;
}

/**
 * A reply's events after `lastEventId`, or from the beginning of `replyId`, or of the one that is being written; ends
 * with it. Throws 404 where the conversation is not the person's.
 */
export async function* followReply(
  ctx: UserContext,
  parts: AssistantParts,
  reading: ReplyReading,
): AsyncGenerator<Tracked<ReplyEvent>> {
  await findSession(ctx, reading.sessionId);
  const place = await placeOf(ctx, reading);
  if (!place) return;
  for await (const piece of piecesFrom(ctx, parts, place)) {
    yield { id: `${place.replyId}:${piece.seq}`, data: piece.event };
  }
}

async function placeOf({ db }: UserContext, reading: ReplyReading): Promise<Place | undefined> {
  const [, resumed, seq] = /^([0-9a-f-]{36}):(\d{1,9})$/.exec(reading.lastEventId ?? '') ?? [];
  const named = Id.safeParse(resumed ?? reading.replyId).data;
  const reply = await db
    .selectFrom('assistantReplies')
    .select(['id', 'status'])
    .where('sessionId', '=', reading.sessionId)
    .$if(named !== undefined, (query) => query.where('id', '=', named ?? ''))
    .$if(named === undefined, (query) => query.where('status', '=', 'writing'))
    .executeTakeFirst();
  return reply && { replyId: reply.id, isWriting: reply.status === 'writing', seq: seq ? Number(seq) : 0 };
}

async function* piecesFrom(
  { db, signal }: UserContext,
  parts: AssistantParts,
  { replyId, isWriting, seq }: Place,
): AsyncGenerator<Piece> {
  // Looked for before the database is asked: what ends here meanwhile has its end in memory, or there.
  const running = isWriting ? parts.writer.running(replyId) : undefined;
  const isStillWriting = isWriting && (await noteReader(db, replyId));
  if (!running) {
    if (isStillWriting) yield* piecesFromElsewhere({ ...parts, db, signal }, replyId, seq);
    else yield* await storedPieces(db, replyId, seq);
    return;
  }
  running.readers += 1;
  try {
    const pieces = readPieces(running.feed, { after: seq, signal, quietAfter: undefined });
    for await (const piece of pieces) if (piece !== 'quiet') yield piece;
  } finally {
    running.readers -= 1;
  }
}

/** Reads what another replica writes, which has to be told that it is read. */
async function* piecesFromElsewhere(
  { db, signal, notifications }: Pick<UserContext, 'db' | 'signal'> & Pick<AssistantParts, 'notifications'>,
  replyId: string,
  after: number,
): AsyncGenerator<Piece> {
  const source = storedSource(db, notifications, replyId);
  let notedAt = performance.now();
  let isWriting = true;
  for await (const piece of readPieces(source, { after, signal, quietAfter: NOTE_EVERY })) {
    // It had ended by the last look, and the end was read after that.
    if (piece === 'quiet' && !isWriting) return;
    if (piece !== 'quiet') yield piece;
    if (performance.now() - notedAt < NOTE_EVERY) continue;
    isWriting = await noteReader(db, replyId);
    notedAt = performance.now();
  }
}
