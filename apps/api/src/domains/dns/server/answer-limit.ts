/**
 * Bounds what forged questions can send to a victim: above so many answers a second to one network, the rest are
 * short ones, which real askers follow up by TCP. Nothing is dropped. This machine is never bounded.
 */
export interface AnswerLimit {
  /** Counts an answer to `address`; whether it is one too many. `second` is a clock's whole seconds. */
  isOver(address: string, second: number): boolean;
}

/** Answers a second: more than the busiest resolver's misses for a small host's zones. */
const PER_NETWORK = 1000;
const SLOTS = 65_536;
const FNV_PRIME = 0x01000193;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** End of the part of an address that names its network: a /24, or about a /48. */
function networkEnd(address: string): number {
  const lastDot = address.lastIndexOf('.');
  if (lastDot !== -1) return lastDot;
  let end = -1;
  for (let groups = 0; groups < 3; groups += 1) end = address.indexOf(':', end + 1);
  return end === -1 ? address.length : end;
}

/** `seed` keeps outsiders from choosing networks that share a slot. */
export function createAnswerLimit(seed: number): AnswerLimit {
  const seconds = new Uint32Array(SLOTS);
  const counts = new Uint32Array(SLOTS);

  function slotOf(address: string): number {
    let hash = seed;
    for (let at = 0, end = networkEnd(address); at < end; at += 1) {
      hash = Math.imul(hash ^ address.charCodeAt(at), FNV_PRIME);
    }
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }

  return {
    isOver(address, second) {
      if (LOOPBACK.test(address)) return false;
      const slot = slotOf(address);
      if (seconds[slot] !== second) {
        seconds[slot] = second;
        counts[slot] = 0;
      }
      const count = (counts[slot] ?? 0) + 1;
      counts[slot] = count;
      return count > PER_NETWORK;
    },
  };
}
