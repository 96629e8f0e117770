import { FREEING_MINUTES } from '@nephos/contracts/constants';
import { byteSize } from '../../../../../platform/byte-size.ts';
import type { ServerSettings, StorageState } from '../../../database-settings.ts';

/** Shares of the limit from which on a database is in a state. */
export const NEARLY = 0.95;
export const CLOSED = 1.1;
/** A full one is written again below this share, so that it does not become full again at once. */
const ROOM_AGAIN = 0.99;
/** Bytes by which what is deleted from may grow: deleting writes, too. */
const DELETING = 16 * 1024 ** 2;

/** What a look at the size of a database found. */
export interface Fullness {
  state: StorageState;
  size: number;
  limit: number;
  /** Whether its sessions are read-only unless they say otherwise. */
  readOnly: boolean;
  /** Bytes at which it is closed although space is being freed; undefined while none is. */
  ceiling: number | undefined;
}

/** What follows from a size, and from what was found at the look before. */
export function fullnessOf(
  size: number,
  { storageLimit: limit, freeingUntil }: ServerSettings,
  before: Fullness | undefined,
  now: Date = new Date(),
): Fullness {
  const found = { size, limit };
  const wasFull = before?.limit === limit && (before.state === 'full' || before.state === 'closed');
  if (size < limit * (wasFull ? ROOM_AGAIN : 1)) {
    const state = size < limit * NEARLY ? 'ok' : 'nearly';
    return { ...found, state, readOnly: false, ceiling: undefined };
  }
  if (freeingUntil !== null && freeingUntil > now) {
    // Of a size above the limit, only less is let be.
    const ceiling = Math.min(
      before?.ceiling ?? Number.POSITIVE_INFINITY,
      Math.max(size, limit * CLOSED) + DELETING,
    );
    const isOver = size > ceiling;
    return { ...found, state: isOver ? 'closed' : 'full', readOnly: isOver, ceiling };
  }
  const state = size < limit * CLOSED ? 'full' : 'closed';
  return { ...found, state, readOnly: true, ceiling: undefined };
}

/** What a client is told that cannot write. */
export function fullHint({ limit }: Pick<Fullness, 'limit'>): string {
  return (
    `This database is full (${byteSize(limit)}). Make it larger in the console, or delete rows after ` +
    'SET default_transaction_read_only = off.'
  );
}

/** Why nobody is let in. */
export function closedRefusal({ size, limit }: Pick<Fullness, 'size' | 'limit'>): string {
  return (
    `this database is full: it holds ${byteSize(size)} of ${byteSize(limit)}; make it larger in the console, or ` +
    `choose Free space there and delete from it within ${FREEING_MINUTES} minutes`
  );
}
