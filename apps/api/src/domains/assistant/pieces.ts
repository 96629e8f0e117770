import type { ReplyEvent } from '@nephos/contracts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';

/** What a reply is made of: the contract's events, and of a tool's call also what the tool said. */
export type StoredEvent = Exclude<ReplyEvent, { type: 'tool' }> | ToolEvent;

interface ToolEvent {
  type: 'tool';
  toolName: string;
  content: string;
}

/** A reply's piece; `seq` counts from 1, and the last piece is `done`. */
export interface Piece {
  seq: number;
  event: StoredEvent;
}

/** Where a reply's pieces are: in the memory of the replica that writes it, and in PostgreSQL. */
export interface PieceSource extends Pick<Notifications, 'subscribe'> {
  /** What a subscriber is called about. */
  channel: string;
  concerns(payload: string): boolean;
  /** The pieces after `seq`, in order. */
  after(seq: number): Promise<readonly Piece[]> | readonly Piece[];
}

export interface Reading {
  /** Place of the last piece that the reader has. */
  after: number;
  signal: AbortSignal | undefined;
  /** Milliseconds without news after which `quiet` is given. */
  quietAfter: number | undefined;
}

/** The pieces there are and those that come, up to `done`; `quiet` now and then, while nothing does. */
export async function* readPieces(
  source: PieceSource,
  { after, signal, quietAfter }: Reading,
): AsyncGenerator<Piece | 'quiet'> {
  const { channel, concerns } = source;
  const follower = follow(source, { channels: [channel], concerns, signal });
  try {
    for (let last = after; ; ) {
      for (const piece of await source.after(last)) {
        if (signal?.aborted) return;
        last = piece.seq;
        yield piece;
        if (piece.event.type === 'done') return;
      }
      const turn = await follower.turn(quietAfter);
      if (turn === 'over') return;
      if (turn === 'quiet') yield 'quiet';
    }
  } finally {
    follower.end();
  }
}
