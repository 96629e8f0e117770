import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { type Batches, createBatches } from '../../platform/batches.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { ASSISTANT_REPLY } from './channels.ts';
import type { Piece, PieceSource } from './pieces.ts';

/** Replies whose pieces go into one statement at most. */
const LARGEST_BATCH = 200;
/** Minutes for which a reply's pieces can be read after its end. */
const KEPT_MINUTES = 60;

/** Some pieces of one reply. */
export interface Addition {
  replyId: string;
  pieces: readonly Piece[];
}

/** Stores pieces and tells readers on other replicas; what many replies add at once goes together. */
export function createPieceStore(db: Kysely<Database>): Batches<Addition, void> {
  return createBatches<Addition, void>({
    run: async (additions) => {
      await storePieces(db, additions);
      return additions.map(() => undefined);
    },
    atOnce: 1,
    largest: LARGEST_BATCH,
    // One statement: nothing of a batch that failed was stored.
    mayRepeat: () => true,
  });
}

const insertPieces = prepare((db, parameter: Parameter<{ rows: string }>) =>
  sql`
    with stored as (
      insert into assistant_pieces (reply_id, seq, event)
      select reply.id, piece.seq, piece.event
      from jsonb_to_recordset(${parameter('rows')}::jsonb) as piece ("replyId" uuid, seq integer, event jsonb)
      join assistant_replies reply on reply.id = piece."replyId"
      on conflict do nothing
      returning reply_id
    )
    select pg_notify(${sql.lit(ASSISTANT_REPLY)}, reply_id::text) from stored group by reply_id`.compile(db),
);

/** Repeating it changes nothing. Additions to replies that are gone are dropped. */
export async function storePieces(db: Kysely<Database>, additions: readonly Addition[]): Promise<void> {
  const rows = additions.flatMap(({ replyId, pieces }) =>
    pieces.map(({ seq, event }) => ({ replyId, seq, event })),
  );
  await insertPieces(db, { rows: JSON.stringify(rows) });
}

/** A reply's pieces as PostgreSQL has them, in order. */
export async function storedPieces(db: Kysely<Database>, replyId: string, after = 0): Promise<Piece[]> {
  return (
    db
      .selectFrom('assistantPieces')
      .select(['seq', 'event'])
      .where('replyId', '=', replyId)
      .where('seq', '>', after)
      .orderBy('seq')
      // Only `storePieces` writes them.
      .$castTo<Piece>()
      .execute()
  );
}

/** For readers on other replicas than the one that writes. */
export function storedSource(
  db: Kysely<Database>,
  notifications: Notifications,
  replyId: string,
): PieceSource {
  return {
    channel: ASSISTANT_REPLY,
    concerns: (about) => about === replyId,
    subscribe: notifications.subscribe,
    after: (seq) => storedPieces(db, replyId, seq),
  };
}

/** Forgets replies that have been messages for long. */
export async function sweepReplies(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('assistantReplies')
    .where('status', '=', 'done')
    .where('createdAt', '<', sql<string>`now() - make_interval(mins => ${KEPT_MINUTES})`)
    .execute();
}
