import { type Name, parentOf } from '../names.ts';
import { TYPE } from '../protocol.ts';
import { type RecordSet, recordSetFrom } from '../record-set.ts';
import type { Zone } from '../zone.ts';
import { orderKeyOf } from './canonical-order.ts';

/** The names of a zone that have records of it, in their canonical order, which NSEC records tell (RFC 4034 §4). */
export interface NameChain {
  /** The name itself, or where it is not there the last one before it. */
  atOrBefore(name: Name): Name;
  /** The one after a name of the chain; after the last one, the apex. */
  after(name: Name): Name;
}

const TYPES_PER_WINDOW = 256;
const BITS = 8;

/** Below a delegation, where there are addresses of its name servers at most, nothing is of this zone. */
function isBelowCut({ apex, cuts }: Pick<Zone, 'apex' | 'cuts'>, name: Name): boolean {
  if (cuts.size === 0 || name === apex) return false;
  for (let above = parentOf(name); above !== apex; above = parentOf(above)) if (cuts.has(above)) return true;
  return false;
}

/** Names that exist only since others lie below them are left out (RFC 4035 §2.3). */
export function chainNames(zone: Pick<Zone, 'apex' | 'nodes' | 'cuts'>): NameChain {
  const entries = [...zone.nodes]
    .filter(([name, node]) => node.size > 0 && !isBelowCut(zone, name))
    .map(([name]) => ({ name, key: orderKeyOf(name) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

  /** How many come at or before `name`; none before the apex. */
  function placeOf(name: Name): number {
    const key = orderKeyOf(name);
    let [from, to] = [1, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((entries[middle]?.key ?? '') <= key) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  return {
    atOrBefore: (name) => entries[placeOf(name) - 1]?.name ?? zone.apex,
    after: (name) => entries[placeOf(name)]?.name ?? zone.apex,
  };
}

/** RFC 4034 §4.1.2. */
function bitmapOf(types: readonly number[]): Buffer {
  const windows = [...Map.groupBy(types, (type) => Math.floor(type / TYPES_PER_WINDOW))].sort(
    ([a], [b]) => a - b,
  );
  return Buffer.concat(
    windows.map(([window, inside]) => {
      const bits = inside.map((type) => type % TYPES_PER_WINDOW);
      const map = Buffer.alloc(2 + Math.floor(Math.max(...bits) / BITS) + 1);
      map[0] = window;
      map[1] = map.length - 2;
      for (const bit of bits) {
        const at = 2 + Math.floor(bit / BITS);
        map[at] = (map[at] ?? 0) | (0x80 >> (bit % BITS));
      }
      return map;
    }),
  );
}

/** The NSEC record of a name with records of `types`, beside which it has this one and signatures. */
export function denialSet(next: Name, types: readonly number[], ttl: number): RecordSet {
  const bitmap = bitmapOf([...types, TYPE.RRSIG, TYPE.NSEC]);
  return recordSetFrom(TYPE.NSEC, ttl, [Buffer.concat([Buffer.from(next, 'latin1'), bitmap])]);
}
