import type { Name } from '../names.ts';
import { TYPE } from '../protocol.ts';
import type { OwnedSet } from '../record-set.ts';
import { cutAbove, resolve } from '../resolve.ts';
import type { Node, Zone } from '../zone.ts';
import type { ZoneSet } from '../zone-set.ts';

/** What a name is served with: of an alias that is ours alone, its addresses. */
function setsAt(zones: ZoneSet, owner: Name, node: Node): OwnedSet[] {
  return [...node.values()].flatMap((set) => {
    if (set.type !== TYPE.ALIAS) return [{ owner, set }];
    return [TYPE.A, TYPE.AAAA].flatMap((type) => resolve(zones, owner, type).answer);
  });
}

/** The sets of a name with their signatures and, where it is in the chain, its NSEC record. */
function* signedSets(
  { signer }: Pick<Zone, 'signer'>,
  owner: Name,
  { sets, cut, isThere }: { sets: readonly OwnedSet[]; cut: Name | undefined; isThere: boolean },
): Generator<OwnedSet> {
  const own = sets.filter(({ set }) => cut === undefined || (cut === owner && set.type === TYPE.DS));
  yield* sets;
  if (!signer) return;
  for (const { set } of own) yield { owner, set: signer.signaturesOf(owner, set) };
  if (!isThere || (cut !== undefined && cut !== owner)) return;
  const types = own.map(({ set }) => set.type);
  const denial = signer.denialOf(owner, cut === owner ? [TYPE.NS, ...types] : types);
  yield { owner, set: denial };
  yield { owner, set: signer.signaturesOf(owner, denial) };
}

/**
 * Every set of a zone as it is served, the SOA record's first and, where it is signed, with signatures and NSEC records:
 * what another server needs to answer as this one does. Making a large zone's signatures takes a part of a second, so
 * whoever reads them lets others go on in between.
 */
export function* servedSets(zones: ZoneSet, zone: Zone): Generator<OwnedSet> {
  const { apex, nodes } = zone;
  const byType = (sets: OwnedSet[]) =>
    sets.sort((a, b) => Number(b.set.type === TYPE.SOA) - Number(a.set.type === TYPE.SOA));
  const names = [apex, ...nodes.keys().filter((name) => name !== apex)];
  for (const owner of names) {
    const node: Node = nodes.get(owner) ?? new Map();
    const sets = byType(setsAt(zones, owner, node));
    // Also an alias whose addresses nobody has is a name with records.
    yield* signedSets(zone, owner, { sets, cut: cutAbove(zone, owner), isThere: node.size > 0 });
  }
}
