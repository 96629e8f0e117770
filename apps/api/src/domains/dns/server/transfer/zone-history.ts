import type { Name } from '../names.ts';
import { TYPE } from '../protocol.ts';
import type { OwnedSet, RecordSet } from '../record-set.ts';
import type { Node, Zone } from '../zone.ts';
import { serialOf, sizeOf, soaOfZone } from './zone-soa.ts';

/** What one version of a zone has that the one before it had not, and the other way round; SOA records apart. */
export interface Difference {
  from: number;
  to: number;
  fromSoa: OwnedSet;
  toSoa: OwnedSet;
  removed: readonly OwnedSet[];
  added: readonly OwnedSet[];
  /** Octets. */
  size: number;
}

/** How zones came to be what they are, as far as memory allows. It is of what was served, whatever made it so. */
export interface ZoneHistory {
  /** Notes that `next` takes the place of `former`. */
  note(former: Zone, next: Zone): void;
  forget(apex: Name): void;
  /** What leads from the version of that serial to the present one, oldest first; undefined where it is not known. */
  since(zone: Zone, serial: number): readonly Difference[] | undefined;
}

/** Differences of one zone, and octets of one zone and of all. */
const MAX_DIFFERENCES = 50;
const MAX_OF_ZONE = 256 * 1024;
const MAX_OF_ALL = 32 * 1024 * 1024;

const EMPTY: Node = new Map();
const NONE: RecordSet = { type: 0, ttl: 0, records: [], targets: [] };

/** The records of a set that another one does not have, copied: they would keep the memory of a whole zone. */
function recordsBeyond(owner: Name, set: RecordSet, other: RecordSet): OwnedSet[] {
  const known = new Set(other.records.map((record) => record.toString('latin1')));
  const records = set.records.filter((record) => !known.has(record.toString('latin1')));
  return records.length > 0
    ? [{ owner, set: { ...set, records: records.map((one) => Buffer.from(one)) } }]
    : [];
}

/** All sets of `zone` that lack something in `other`. */
function setsBeyond(zone: Zone, other: Zone): OwnedSet[] {
  const found: OwnedSet[] = [];
  for (const [owner, node] of zone.nodes) {
    const there = other.nodes.get(owner) ?? EMPTY;
    for (const set of node.values()) {
      if (set.type !== TYPE.SOA) found.push(...recordsBeyond(owner, set, there.get(set.type) ?? NONE));
    }
  }
  return found;
}

/**
 * An alias's addresses may change while its zone does not, and signatures are each server's own, so that nobody knows
 * what a serial stood for.
 */
function mayDiffer({ nodes, signer }: Zone): boolean {
  return signer !== undefined || nodes.values().some((node) => node.has(TYPE.ALIAS));
}

function differenceOf(former: Zone, next: Zone): Difference {
  const removed = setsBeyond(former, next);
  const added = setsBeyond(next, former);
  const size = [...removed, ...added].reduce((sum, owned) => sum + sizeOf(owned), 0);
  return {
    ...{ from: serialOf(former), to: serialOf(next), fromSoa: soaOfZone(former), toSoa: soaOfZone(next) },
    ...{ removed, added, size },
  };
}

export function createZoneHistory(): ZoneHistory {
  const histories = new Map<Name, Difference[]>();
  /** Zones of whose present serial there were several contents. */
  const unclear = new Set<Name>();
  let total = 0;

  function forget(apex: Name): void {
    for (const { size } of histories.get(apex) ?? []) total -= size;
    histories.delete(apex);
    unclear.delete(apex);
  }

  function keep(apex: Name, difference: Difference): void {
    const history = histories.get(apex) ?? [];
    histories.set(apex, history);
    history.push(difference);
    total += difference.size;
    let own = history.reduce((sum, { size }) => sum + size, 0);
    while (history.length > MAX_DIFFERENCES || own > MAX_OF_ZONE) {
      const size = history.shift()?.size ?? 0;
      own -= size;
      total -= size;
    }
    if (total <= MAX_OF_ALL) return;
    histories.clear();
    total = 0;
  }

  return {
    forget,
    note(former, next) {
      const { apex } = next;
      const difference = differenceOf(former, next);
      if (difference.from === difference.to) {
        if (difference.size === 0) return;
        forget(apex);
        unclear.add(apex);
      } else if (unclear.has(apex) || mayDiffer(former) || mayDiffer(next)) {
        forget(apex);
      } else {
        keep(apex, difference);
      }
    },
    since(zone, serial) {
      const history = histories.get(zone.apex) ?? [];
      const first = history.findIndex(({ from }) => from === serial);
      return first === -1 || history.at(-1)?.to !== serialOf(zone) ? undefined : history.slice(first);
    },
  };
}
