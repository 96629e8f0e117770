import type { Name } from './names.ts';
import type { PreparedAnswer } from './prepare-answer.ts';
import type { Answer } from './resolve.ts';
import type { Zone } from './zone.ts';
import type { ZoneSet } from './zone-set.ts';

/** Answers in octets that were given before and still hold. */
export interface AnswerCache {
  get(name: Name, type: number): PreparedAnswer | undefined;
  /** Keeps it if it may be asked for again. */
  put(name: Name, type: number, answer: Answer, prepared: PreparedAnswer): void;
}

interface Entry {
  prepared: PreparedAnswer;
  zone: Zone;
  leavesZone: boolean;
  /** The zones' generation or epoch, whichever it depends upon. */
  stamp: number;
}

/** About 30 MB. Names that exist are bounded by people's records, their types are not. */
const MAX_ENTRIES = 50_000;

export function createAnswerCache(zones: ZoneSet): AnswerCache {
  const byType = new Map<number, Map<Name, Entry>>();
  let size = 0;

  /** An answer from one zone holds as long as that zone does; one from several, until any zone changes. */
  const stampOf = (leavesZone: boolean) => (leavesZone ? zones.generation() : zones.epoch());

  return {
    get(name, type) {
      const entry = byType.get(type)?.get(name);
      if (!entry || entry.stamp !== stampOf(entry.leavesZone) || !zones.isCurrent(entry.zone))
        return undefined;
      return entry.prepared;
    },
    put(name, type, { zone, isExact, leavesZone }, prepared) {
      if (!zone || !isExact) return;
      if (size >= MAX_ENTRIES) {
        byType.clear();
        size = 0;
      }
      const entries = byType.get(type) ?? new Map<Name, Entry>();
      byType.set(type, entries);
      if (!entries.has(name)) size += 1;
      entries.set(name, { prepared, zone, leavesZone, stamp: stampOf(leavesZone) });
    },
  };
}
