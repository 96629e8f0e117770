import { MAX_TTL } from '@nephos/contracts';
import { KEY_TTL } from '../server/signing/zone-key.ts';

const SECOND = 1000;

/** Seconds until every cache has a key that was announced: the TTL of those before it, and as long for secondaries. */
const ANNOUNCEMENT = 2 * KEY_TTL;

/** Seconds until nothing in caches needs a key: neither what it signed nor a DS record, with a day to spare. */
export const RETIREMENT = MAX_TTL + 86_400;

function later(instant: string, seconds: number): string {
  return new Date(Date.parse(instant) + seconds * SECOND).toISOString();
}

/** When a key that was announced at `since` may be used. */
export function earliestUse(since: string): string {
  return later(since, ANNOUNCEMENT);
}

/** When a key goes that was replaced at `since`. */
export function retirementEnd(since: string): string {
  return later(since, RETIREMENT);
}
