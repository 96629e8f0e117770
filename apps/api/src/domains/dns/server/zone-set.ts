import { type Name, parentOf, ROOT } from './names.ts';
import { TYPE } from './protocol.ts';
import type { Zone } from './zone.ts';

/** The zones that are served. */
export interface ZoneSet {
  /** The zone with authority over `name`: that of the longest apex at or above it. */
  authorityOf(name: Name): Zone | undefined;
  /** As `authorityOf`, for a question: the DS records of an apex are its parent's (RFC 4035 §3.1.4.1). */
  forQuestion(name: Name, type: number): Zone | undefined;
  isCurrent(zone: Zone): boolean;
  put(zone: Zone): void;
  remove(apex: Name): void;
  /** Gives zones a new signer whose one is old; `now` is in milliseconds since 1970. */
  renewSignatures(now: number): void;
  /** Changes with every change. */
  generation(): number;
  /** Changes when a zone comes or goes, so that names may have another authority. */
  epoch(): number;
}

export function createZoneSet(): ZoneSet {
  const zones = new Map<Name, Zone>();
  let generation = 0;
  let epoch = 0;

  function authorityOf(name: Name): Zone | undefined {
    for (let apex = name; ; apex = parentOf(apex)) {
      const zone = zones.get(apex);
      if (zone || apex === ROOT) return zone;
    }
  }

  function put(zone: Zone): void {
    if (!zones.has(zone.apex)) epoch += 1;
    generation += 1;
    zones.set(zone.apex, zone);
  }

  return {
    authorityOf,
    forQuestion(name, type) {
      const zone = authorityOf(name);
      if (type !== TYPE.DS || zone?.apex !== name || name === ROOT) return zone;
      const parent = authorityOf(parentOf(name));
      return parent?.nodes.has(name) ? parent : zone;
    },
    isCurrent: (zone) => zones.get(zone.apex) === zone,
    put,
    remove(apex) {
      if (!zones.delete(apex)) return;
      generation += 1;
      epoch += 1;
    },
    renewSignatures(now) {
      for (const zone of zones.values())
        if (zone.signer && zone.signer.renewAt <= now) put(zone.signedAnew());
    },
    generation: () => generation,
    epoch: () => epoch,
  };
}
