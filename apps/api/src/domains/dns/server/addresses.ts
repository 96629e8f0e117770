import { isWithin, type Name } from './names.ts';
import { TYPE } from './protocol.ts';
import type { OwnedSet } from './record-set.ts';
import type { Zone } from './zone.ts';
import type { ZoneSet } from './zone-set.ts';

function addressSets(zone: Zone, owner: Name): OwnedSet[] {
  const node = zone.nodes.get(owner);
  return [TYPE.A, TYPE.AAAA].flatMap((type) => {
    const set = node?.get(type);
    return set ? [{ owner, set }] : [];
  });
}

/** What our zones know of the addresses of `hosts`, glue included. */
export function addressesOf(
  zones: ZoneSet,
  zone: Zone,
  hosts: readonly Name[],
): { sets: OwnedSet[]; leavesZone: boolean } {
  const authorities = hosts.map((host) => zones.authorityOf(host));
  return {
    sets: authorities.flatMap((authority, index) =>
      authority ? addressSets(authority, hosts[index] ?? '') : [],
    ),
    leavesZone: authorities.some((authority) => authority !== zone),
  };
}

/** The addresses of a delegation's name servers: below the cut they are indispensable (RFC 9471 §3.1). */
export function glueOf(
  zones: ZoneSet,
  zone: Zone,
  { owner, set }: OwnedSet,
): { glue: OwnedSet[]; others: OwnedSet[]; leavesZone: boolean } {
  const inside = set.targets.filter((host) => isWithin(host, owner));
  const outside = set.targets.filter((host) => !isWithin(host, owner));
  const { sets, leavesZone } = addressesOf(zones, zone, outside);
  return { glue: inside.flatMap((host) => addressSets(zone, host)), others: sets, leavesZone };
}
