import { UNPROVEN_LIMIT } from '../../limits.ts';

/** The place of one that has not proven who it is, until that is over. */
export interface Place {
  /** The server asks it for its password: from now on it takes its own time. */
  asked(): void;
  /** It has proven who it is, or is gone. May be called again. */
  leave(): void;
}

export interface Newcomer {
  database: string;
  /** Address, or network, that it came from. */
  client: string;
  /** Asks it to go and leave its place to another. */
  go(): void;
}

/**
 * Who may be proving who they are to the server of a database. These places are few, and beside those of its sessions,
 * so who knows no more than its name keeps nobody out: where more want them, they go to who came from an address that
 * has the fewest, and who has had one for long makes room.
 */
export interface WaitingRoom {
  /** Resolves with a place once there is one; with undefined where there was none for ten seconds, or too many wait. */
  take(newcomer: Newcomer): Promise<Place | undefined>;
}

const MOST_WAITING = 100;
/** Milliseconds that everybody has, whoever else comes: some round trips around the world. */
const GRACE = 1000;
/** Milliseconds. */
const PATIENCE = 10_000;

interface Guest extends Pick<Newcomer, 'client' | 'go'> {
  askedAt: number;
  isGoing: boolean;
}

interface Waiting extends Newcomer {
  settle(place: Place | undefined): void;
}

interface Room {
  /** In the order in which they came, as those that wait. */
  guests: Set<Guest>;
  waiting: Set<Waiting>;
  timer?: NodeJS.Timeout;
}

export function createWaitingRoom(): WaitingRoom {
  const rooms = new Map<string, Room>();

  function admit(room: Room, { database, client, go }: Newcomer): Place {
    const guest: Guest = { client, go, askedAt: Number.POSITIVE_INFINITY, isGoing: false };
    room.guests.add(guest);
    return {
      asked() {
        guest.askedAt = performance.now();
        attend(room);
      },
      leave() {
        if (!room.guests.delete(guest)) return;
        attend(room);
        if (room.guests.size === 0) rooms.delete(database);
      },
    };
  }

  /** Lets in who waits while there is room; otherwise sees to it that there will be. */
  function attend(room: Room): void {
    clearTimeout(room.timer);
    for (;;) {
      if (room.guests.size < UNPROVEN_LIMIT) {
        const next = ofFewest(room.waiting, room.guests);
        if (!next) return;
        room.waiting.delete(next);
        next.settle(admit(room, next));
        continue;
      }
      const staying = [...room.guests].filter(({ isGoing }) => !isGoing);
      const oldest = room.waiting.size > room.guests.size - staying.length ? ofMost(staying) : undefined;
      if (!oldest) return;
      const left = oldest.askedAt + GRACE - performance.now();
      if (left > 0) {
        if (Number.isFinite(left)) room.timer = setTimeout(() => attend(room), Math.ceil(left)).unref();
        return;
      }
      oldest.isGoing = true;
      oldest.go();
    }
  }

  return {
    take(newcomer) {
      const room = rooms.get(newcomer.database) ?? { guests: new Set(), waiting: new Set() };
      rooms.set(newcomer.database, room);
      return new Promise((resolve) => {
        const waiting: Waiting = {
          ...newcomer,
          settle(place) {
            clearTimeout(timer);
            room.waiting.delete(waiting);
            resolve(place);
          },
        };
        const timer = setTimeout(() => waiting.settle(undefined), PATIENCE).unref();
        room.waiting.add(waiting);
        attend(room);
        if (room.waiting.size > MOST_WAITING) ofMost([...room.waiting])?.settle(undefined);
      });
    },
  };
}

type Counted = Pick<Newcomer, 'client'>;

function countOf(all: Iterable<Counted>): (one: Counted) => number {
  const counts = new Map<string, number>();
  for (const { client } of all) counts.set(client, (counts.get(client) ?? 0) + 1);
  return ({ client }) => counts.get(client) ?? 0;
}

/** The first of those that wait from an address that has the fewest places. */
function ofFewest(waiting: Iterable<Waiting>, places: Iterable<Counted>): Waiting | undefined {
  const count = countOf(places);
  let found: Waiting | undefined;
  for (const each of waiting) if (!found || count(each) < count(found)) found = each;
  return found;
}

/** The first of those from the address that most of them are from. */
function ofMost<T extends Counted>(all: readonly T[]): T | undefined {
  const count = countOf(all);
  let found: T | undefined;
  for (const each of all) if (!found || count(each) > count(found)) found = each;
  return found;
}
