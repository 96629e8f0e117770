import type { Name } from './names.ts';
import type { PreparedAnswer } from './prepare-answer.ts';
import type { Answer } from './resolve.ts';
import type { Zone } from './zone.ts';
import type { ZoneSet } from './zone-set.ts';

/** Answers in octets that were given before and still hold. */
export interface AnswerCache {
  get(question: CachedQuestion): PreparedAnswer | undefined;
  /** Keeps it if it may be asked for again. */
  put(question: CachedQuestion, answer: Answer, prepared: PreparedAnswer): void;
}

/** `dnssecOk` is whether signatures are asked for. */
export interface CachedQuestion {
  name: Name;
  type: number;
  dnssecOk: boolean;
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

/** Keeps types with signatures apart from those without: beyond 16 bits. */
const WITH_SIGNATURES = 65_536;

function typeKeyOf({ type, dnssecOk }: CachedQuestion): number {
  return dnssecOk ? type + WITH_SIGNATURES : type;
}

export function createAnswerCache(zones: ZoneSet): AnswerCache {
  const byType = new Map<number, Map<Name, Entry>>();
  let size = 0;

  /** An answer from one zone holds as long as that zone does; one from several, until any zone changes. */
  const stampOf = (leavesZone: boolean) => (leavesZone ? zones.generation() : zones.epoch());

  return {
    get(question) {
      const entry = byType.get(typeKeyOf(question))?.get(question.name);
      if (!entry || entry.stamp !== stampOf(entry.leavesZone) || !zones.isCurrent(entry.zone))
        return undefined;
      return entry.prepared;
    },
    put(question, { zone, isExact, leavesZone }, prepared) {
      if (!zone || !isExact) return;
      if (size >= MAX_ENTRIES) {
        byType.clear();
        size = 0;
      }
      const { name } = question;
      const key = typeKeyOf(question);
      const entries = byType.get(key) ?? new Map<Name, Entry>();
      byType.set(key, entries);
      if (!entries.has(name)) size += 1;
      entries.set(name, { prepared, zone, leavesZone, stamp: stampOf(leavesZone) });
    },
  };
}
