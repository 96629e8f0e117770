import { addressesOf, glueOf } from './addresses.ts';
import { type Name, parentOf, wildcardBelow } from './names.ts';
import { RCODE, TYPE } from './protocol.ts';
import { ANY_SET, type OwnedSet, type RecordSet, withTtl } from './record-set.ts';
import type { Node, Zone } from './zone.ts';
import type { ZoneSet } from './zone-set.ts';

/** What is said to a question, before it is put into octets. */
export interface Answer {
  rcode: number;
  authoritative: boolean;
  answer: OwnedSet[];
  authority: OwnedSet[];
  /** Addresses without which a referral leads nowhere: they fit, or the answer is truncated (RFC 9471). */
  glue: OwnedSet[];
  /** Addresses that spare a question: left out where they do not fit. */
  additional: OwnedSet[];
  /** The zone that was asked; absent where the question is refused. */
  zone: Zone | undefined;
  /** Whether the name exists by itself: answers to names that do not are too many to keep. */
  isExact: boolean;
  /** Whether names outside `zone` were looked up. */
  leavesZone: boolean;
  /** The names that were looked up, one after the other; each but the last led on by its set in `answer`. */
  visits: Visit[];
}

/** A name that was looked up on the way to an answer, and what its zone has for it. */
export interface Visit {
  zone: Zone;
  owner: Name;
  found: Found;
}

/** Aliases that are followed for one question. */
const MAX_CHAIN = 16;

/** `source` is the node's name: the one that was looked up, or the wildcard for it, which may not be there either. */
type Found =
  | { kind: 'cut'; owner: Name; set: RecordSet }
  | { kind: 'node'; node: Node; source: Name }
  | { kind: 'nothing'; source: Name };

/** The delegation at or above `name` that is nearest to the apex: what lies below it is not ours to answer. */
export function cutAbove({ apex, cuts }: Zone, name: Name): Name | undefined {
  let cut: Name | undefined;
  if (cuts.size === 0) return cut;
  for (let at = name; at !== apex; at = parentOf(at)) if (cuts.has(at)) cut = at;
  return cut;
}

/** The wildcard below the closest encloser of `name`, RFC 4592 §3.3.1. */
function wildcardFor({ nodes, apex }: Zone, name: Name): Name {
  let encloser = parentOf(name);
  while (encloser !== apex && !nodes.has(encloser)) encloser = parentOf(encloser);
  return wildcardBelow(encloser);
}

function find(zone: Zone, name: Name, type: number): Found {
  const cut = cutAbove(zone, name);
  const delegation = cut && zone.nodes.get(cut)?.get(TYPE.NS);
  if (delegation && !(cut === name && type === TYPE.DS)) return { kind: 'cut', owner: cut, set: delegation };
  const exact = zone.nodes.get(name);
  if (exact) return { kind: 'node', node: exact, source: name };
  const source = wildcardFor(zone, name);
  const node = zone.nodes.get(source);
  return node ? { kind: 'node', node, source } : { kind: 'nothing', source };
}

/** Types that a signed zone has beside an alias, so that the alias itself is asked (RFC 4035 §2.5). */
const BESIDE_ALIASES: ReadonlySet<number> = new Set([TYPE.RRSIG, TYPE.NSEC]);

function isAddressType(type: number): boolean {
  return type === TYPE.A || type === TYPE.AAAA;
}

/** The set of a node that answers `type`, an alias included. */
function select(node: Node, type: number): RecordSet | undefined {
  const alias = isAddressType(type) ? node.get(TYPE.ALIAS) : undefined;
  if (alias) return alias;
  if (type === TYPE.ANY) return node.get(TYPE.CNAME) ?? (node.size > 0 ? ANY_SET : undefined);
  return node.get(type) ?? (BESIDE_ALIASES.has(type) ? undefined : node.get(TYPE.CNAME));
}

function begin(zone: Zone | undefined): Answer {
  return {
    rcode: zone ? RCODE.NOERROR : RCODE.REFUSED,
    authoritative: zone !== undefined,
    answer: [],
    authority: [],
    glue: [],
    additional: [],
    zone,
    isExact: false,
    leavesZone: false,
    visits: [],
  };
}

function refer(answer: Answer, zones: ZoneSet, zone: Zone, { owner, set }: OwnedSet): void {
  // After an alias of ours the answer stays authoritative: the bit speaks of the first owner (RFC 1035 §4.1.1).
  answer.authoritative = answer.answer.length > 0;
  answer.authority.push({ owner, set });
  const { glue, others, leavesZone } = glueOf(zones, zone, { owner, set });
  answer.glue.push(...glue);
  answer.additional.push(...others);
  answer.leavesZone ||= leavesZone;
}

function conclude(answer: Answer, zones: ZoneSet, zone: Zone, { owner, set }: OwnedSet): void {
  answer.answer.push({ owner, set });
  if (set.type === TYPE.CNAME || set.type === TYPE.PTR || set.targets.length === 0) return;
  const { sets, leavesZone } = addressesOf(zones, zone, set.targets);
  answer.additional.push(...sets);
  answer.leavesZone ||= leavesZone;
}

/**
 * Answers with the addresses of an alias that is ours alone, under the name of the alias. What other servers know is not
 * known here, so the answer is then that we failed.
 */
function flatten(answer: Answer, zones: ZoneSet, zone: Zone, alias: OwnedSet, step: Step): void {
  const [target] = alias.set.targets;
  const isTooDeep = target === undefined || step.depth >= MAX_CHAIN;
  const found = isTooDeep ? undefined : resolve(zones, target, step.type, step.depth + 1);
  answer.leavesZone ||= found === undefined || found.leavesZone || found.zone !== zone;
  const addresses = found?.answer.find(({ set }) => set.type === step.type);
  if (found && addresses) {
    const ttl = Math.min(alias.set.ttl, ...found.answer.map(({ set }) => set.ttl));
    answer.answer.push({ owner: alias.owner, set: withTtl(addresses.set, ttl) });
  } else if (found && isDenial(found)) {
    answer.authority.push({ owner: zone.apex, set: zone.negativeSoa });
  } else {
    answer.rcode = RCODE.SERVFAIL;
    answer.authoritative = false;
    answer.answer = [];
  }
}

/** Whether a zone of ours says that there is no such name or no such type. */
function isDenial({ authority }: Answer): boolean {
  return authority.some(({ set }) => set.type === TYPE.SOA);
}

interface Step {
  type: number;
  depth: number;
}

/**
 * RFC 1034 §4.3.2, without recursion: what we say to a question of class IN for `name` and `type`. `depth` counts the
 * aliases, ours alone, that led to it.
 */
export function resolve(zones: ZoneSet, name: Name, type: number, depth = 0): Answer {
  const answer = begin(zones.forQuestion(name, type));
  const seen = new Set<Name>();
  let owner = name;
  let zone = answer.zone;
  while (zone) {
    const found = find(zone, owner, type);
    answer.visits.push({ zone, owner, found });
    if (found.kind === 'cut') {
      refer(answer, zones, zone, found);
      return answer;
    }
    const set = found.kind === 'node' ? select(found.node, type) : undefined;
    if (seen.size === 0) answer.isExact = found.kind === 'node' && found.source === owner;
    if (!set) {
      if (found.kind === 'nothing') answer.rcode = RCODE.NXDOMAIN;
      answer.authority.push({ owner: zone.apex, set: zone.negativeSoa });
      return answer;
    }
    if (set.type === TYPE.ALIAS) {
      flatten(answer, zones, zone, { owner, set }, { type, depth });
      return answer;
    }
    const [target] = set.targets;
    if (set.type !== TYPE.CNAME || type === TYPE.CNAME || type === TYPE.ANY || target === undefined) {
      conclude(answer, zones, zone, { owner, set });
      return answer;
    }
    answer.answer.push({ owner, set });
    seen.add(owner);
    if (seen.has(target) || seen.size === MAX_CHAIN) return answer;
    owner = target;
    zone = zones.authorityOf(target);
    answer.leavesZone ||= zone !== answer.zone;
  }
  return answer;
}
