import type { Piece, PieceSource, StoredEvent } from './pieces.ts';

/** A reply's pieces in memory, for readers on the replica that writes it. */
export interface Feed extends PieceSource {
  push(event: StoredEvent): Piece;
  readonly pieces: readonly Piece[];
}

export function createFeed(): Feed {
  const pieces: Piece[] = [];
  const listeners = new Set<(payload: string) => void>();
  return {
    pieces,
    channel: 'feed',
    concerns: () => true,
    after: (seq) => pieces.slice(seq),
    subscribe(_channel, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    push(event) {
      const piece = { seq: pieces.length + 1, event };
      pieces.push(piece);
      for (const listener of listeners) listener('');
      return piece;
    },
  };
}
