import type { Name } from '../names.ts';
import { RCODE, TYPE } from '../protocol.ts';
import type { OwnedSet } from '../record-set.ts';
import { type Answer, cutAbove, resolve, type Visit } from '../resolve.ts';
import type { Zone } from '../zone.ts';
import type { ZoneSet } from '../zone-set.ts';

/** What is added to an answer, and whether it depends upon other zones. */
interface Additions {
  authority: OwnedSet[];
  leavesZone: boolean;
}

const ADDRESS_TYPES = [TYPE.A, TYPE.AAAA];

/** The types of which there are addresses for an alias that is ours alone; where that is not known, it may have some. */
function aliasTypes(zones: ZoneSet, zone: Zone, owner: Name): { types: number[]; leavesZone: boolean } {
  const found = ADDRESS_TYPES.map((type) => ({ type, answer: resolve(zones, owner, type) }));
  return {
    types: found
      .filter(({ answer }) => answer.answer.length > 0 || answer.rcode === RCODE.SERVFAIL)
      .map(({ type }) => type),
    leavesZone: found.some(({ answer }) => answer.leavesZone || answer.zone !== zone),
  };
}

/** The types of records that a name of a zone has by what the zone answers, but for NSEC and RRSIG. */
function typesAt(zones: ZoneSet, zone: Zone, owner: Name): { types: readonly number[]; leavesZone: boolean } {
  const types = [...(zone.nodes.get(owner)?.keys() ?? [])];
  // Whatever else a delegation has is not ours to tell.
  if (zone.cuts.has(owner)) {
    return { types: types.filter((type) => type === TYPE.NS || type === TYPE.DS), leavesZone: false };
  }
  if (!types.includes(TYPE.ALIAS)) return { types, leavesZone: false };
  const alias = aliasTypes(zones, zone, owner);
  return {
    types: [...types.filter((type) => type !== TYPE.ALIAS), ...alias.types],
    leavesZone: alias.leavesZone,
  };
}

/** A set with its signatures, where its zone is signed. */
function withSignatures({ signer }: Zone, source: Name, { owner, set }: OwnedSet): OwnedSet[] {
  if (!signer || set.records.length === 0) return [{ owner, set }];
  return [
    { owner, set },
    { owner, set: signer.signaturesOf(source, set) },
  ];
}

/** Adds the NSEC record that tells of `name`, with its signatures; each once. */
function deny(additions: Additions, zones: ZoneSet, zone: Zone, name: Name): void {
  if (!zone.signer) return;
  const denier = zone.signer.denierOf(name);
  const isThere = additions.authority.some(({ owner, set }) => set.type === TYPE.NSEC && owner === denier);
  if (isThere) return;
  const { types, leavesZone } = typesAt(zones, zone, denier);
  const set = zone.signer.denialOf(denier, types);
  additions.authority.push(...withSignatures(zone, denier, { owner: denier, set }));
  additions.leavesZone ||= leavesZone;
}

/** What shows how a name was found: that none is nearer than its wildcard, that a delegation is not signed. */
function prove(additions: Additions, zones: ZoneSet, { zone, owner, found }: Visit, isDenied: boolean): void {
  if (!zone.signer) return;
  if (found.kind === 'cut') {
    const delegated = zone.nodes.get(found.owner)?.get(TYPE.DS);
    if (!delegated) deny(additions, zones, zone, found.owner);
    else
      additions.authority.push(...withSignatures(zone, found.owner, { owner: found.owner, set: delegated }));
    return;
  }
  const isExact = found.source === owner;
  if (!isExact || isDenied) deny(additions, zones, zone, owner);
  if (!isExact && isDenied) deny(additions, zones, zone, found.source);
}

/** Signatures of what is the zone's own; of addresses below a delegation there are none. */
function signAdditional(zones: ZoneSet, owned: OwnedSet): OwnedSet[] {
  const zone = zones.authorityOf(owned.owner);
  if (!zone?.signer || cutAbove(zone, owned.owner) !== undefined) return [owned];
  return withSignatures(zone, owned.owner, owned);
}

/** NSEC and RRSIG records that are asked for themselves: of all signatures those of the NSEC record (RFC 8482 §4.1). */
function ownRecords(
  additions: Additions,
  zones: ZoneSet,
  { zone, owner, found }: Visit,
  type: number,
): OwnedSet[] {
  if (!zone.signer || found.kind !== 'node' || found.source !== owner || found.node.size === 0) return [];
  const { types, leavesZone } = typesAt(zones, zone, owner);
  additions.leavesZone ||= leavesZone;
  const sets = withSignatures(zone, owner, { owner, set: zone.signer.denialOf(owner, types) });
  return type === TYPE.RRSIG ? sets.slice(1) : sets;
}

/**
 * An answer as those get it who ask for signatures (RFC 4035 §3.1): every set with its own, and proof of whatever is
 * denied. Names of zones that are not signed stay as they are.
 */
export function signAnswer(zones: ZoneSet, answer: Answer, type: number): Answer {
  const { visits, rcode } = answer;
  const last = visits.at(-1);
  const isSigned = visits.some(({ zone }) => zone.signer) || answer.additional.length > 0;
  if (!last || !isSigned || rcode === RCODE.SERVFAIL) return answer;
  // Each visit but the last led on by its set.
  const isDenied = answer.answer.length < visits.length && last.found.kind !== 'cut';
  const isAboutSignatures = type === TYPE.NSEC || type === TYPE.RRSIG;
  const additions: Additions = { authority: [], leavesZone: answer.leavesZone };
  const own = isDenied && isAboutSignatures ? ownRecords(additions, zones, last, type) : [];
  const sourceOf = ({ zone, found }: Visit) => (found.kind === 'cut' ? zone.apex : found.source);
  if (own.length === 0) {
    for (const owned of answer.authority) {
      const isOurs = owned.set.type === TYPE.SOA;
      additions.authority.push(...(isOurs ? withSignatures(last.zone, owned.owner, owned) : [owned]));
    }
  }
  for (const visit of visits) {
    prove(additions, zones, visit, visit === last && isDenied && own.length === 0);
  }
  return {
    ...answer,
    ...additions,
    answer: [
      ...answer.answer.flatMap((owned, at) => {
        const visit = visits[at];
        return visit ? withSignatures(visit.zone, sourceOf(visit), owned) : [owned];
      }),
      ...own,
    ],
    additional: answer.additional.flatMap((owned) => signAdditional(zones, owned)),
  };
}
