import { type Name, nameOf, parentOf } from './names.ts';
import { TYPE } from './protocol.ts';
import type { RecordData } from './record-data.ts';
import { type RecordSet, recordSetOf, type SoaData, soaSetOf } from './record-set.ts';
import { keySetsOf, type ZoneKey } from './signing/zone-key.ts';
import { createZoneSigner, type ZoneSigner } from './signing/zone-signer.ts';
import type { TransferRules } from './transfer/transfer-sources.ts';

/** A zone as the database has it. */
export interface ZoneData {
  domain: string;
  serial: number;
  records: readonly ZoneRecord[];
  /** One of them is active; absent where the zone is not signed. */
  keys?: readonly ZoneKey[] | undefined;
  /** Who may copy it; absent: nobody. */
  transfer?: TransferRules | undefined;
}

export interface ZoneRecord extends RecordData {
  /** Whole name, lower case, without final dot. */
  owner: string;
}

/** Sets of a name by type; empty where names exist only below it. */
export type Node = ReadonlyMap<number, RecordSet>;

/** A zone as it is served: what the database has, and the SOA and NS records of its apex. */
export interface Zone {
  apex: Name;
  /** Every name that exists, empty non-terminals included (RFC 4592 §2.2.2). */
  nodes: ReadonlyMap<Name, Node>;
  /** Names below the apex that are delegated to others. */
  cuts: ReadonlySet<Name>;
  /** The SOA record with the TTL of what does not exist, RFC 2308 §3. */
  negativeSoa: RecordSet;
  /** Absent where the zone is not signed. */
  signer?: ZoneSigner | undefined;
  /** The same zone with a signer that has signed nothing yet. */
  signedAnew(): Zone;
}

/**
 * Seconds, as RIPE-203 advises for small, stable zones, but for `refresh`: checkers of zones warn below four hours.
 * `minimum` is RFC 2308's negative TTL.
 */
const TIMERS = { refresh: 14_400, retry: 3600, expire: 1_209_600, minimum: 300 };
const APEX_TTL = 3600;
const SERIAL_MODULUS = 2 ** 32;

/** All records of the zone, apex included, as owner and data. */
export function recordsOf({ domain, records }: ZoneData, nameServers: readonly string[]): ZoneRecord[] {
  const given = records.filter(({ owner, type }) => owner === domain && type === 'NS');
  // One TTL per set (RFC 2181 §5.2): the person's, where they added name servers of their own.
  const ttl = given[0]?.ttl ?? APEX_TTL;
  const added = nameServers
    .filter((host) => !given.some(({ value }) => nameOf(value) === nameOf(host)))
    .map((host): ZoneRecord => ({ owner: domain, type: 'NS', value: host, ttl }));
  return [...added, ...records];
}

export function soaOf(
  { domain, serial }: ZoneData,
  nameServers: readonly string[],
): SoaData & { ttl: number } {
  return {
    mname: nameServers[0] ?? domain,
    rname: `hostmaster.${domain}`,
    serial: serial % SERIAL_MODULUS,
    ...TIMERS,
    ttl: APEX_TTL,
  };
}

function groupBySet(records: readonly ZoneRecord[]): Map<string, ZoneRecord[]> {
  return Map.groupBy(records, ({ owner, type }) => `${owner} ${type}`);
}

/** The zone with a signer where it has keys; `now` is in milliseconds since 1970. */
function signed(
  zone: Omit<Zone, 'signer' | 'signedAnew'>,
  keys: readonly ZoneKey[],
  now: () => number,
): Zone {
  return {
    ...zone,
    signer: keys.length > 0 ? createZoneSigner(zone, keys, now) : undefined,
    signedAnew: () => signed(zone, keys, now),
  };
}

/** Throws where a record cannot be encoded. `now` is in milliseconds since 1970. */
export function buildZone(data: ZoneData, nameServers: readonly string[], now = Date.now): Zone {
  const apex = nameOf(data.domain);
  const nodes = new Map<Name, Map<number, RecordSet>>([[apex, new Map()]]);
  const nodeAt = (name: Name): Map<number, RecordSet> => {
    const known = nodes.get(name);
    if (known) return known;
    const node = new Map<number, RecordSet>();
    nodes.set(name, node);
    nodeAt(parentOf(name));
    return node;
  };
  const cuts = new Set<Name>();
  for (const group of groupBySet(recordsOf(data, nameServers)).values()) {
    const [{ owner, type } = { owner: data.domain, type: 'NS' as const }] = group;
    const name = nameOf(owner);
    nodeAt(name).set(TYPE[type], recordSetOf(type, group));
    // A wildcard cannot be delegated (RFC 4592 §4.2).
    if (type === 'NS' && name !== apex && !owner.startsWith('*')) cuts.add(name);
  }
  const { ttl, ...soa } = soaOf(data, nameServers);
  nodeAt(apex).set(TYPE.SOA, soaSetOf(soa, ttl));
  const { keys = [] } = data;
  if (keys.length > 0) for (const set of keySetsOf(apex, keys)) nodeAt(apex).set(set.type, set);
  const zone = { apex, nodes, cuts, negativeSoa: soaSetOf(soa, Math.min(ttl, soa.minimum)) };
  return signed(zone, keys, now);
}
