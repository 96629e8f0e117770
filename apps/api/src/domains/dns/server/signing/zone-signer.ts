import type { Name } from '../names.ts';
import { TYPE } from '../protocol.ts';
import type { RecordSet } from '../record-set.ts';
import type { Zone } from '../zone.ts';
import { chainNames, denialSet, type NameChain } from './name-chain.ts';
import { type SigningKey, signingKeyOf, signSet } from './sign-set.ts';
import type { ZoneKey } from './zone-key.ts';

/**
 * Signs a zone as its answers are asked for: a large zone would else keep the thread for a second after each change. What
 * was signed is kept for as long as this signer, so its memory is bounded by that of the zone.
 */
export interface ZoneSigner {
  /** When another has to take its place, in milliseconds since 1970: long before its signatures end. */
  readonly renewAt: number;
  /** The RRSIG records of a set; `source` is the name that has it, of a wildcard its own. */
  signaturesOf(source: Name, set: RecordSet): RecordSet;
  /** The name whose NSEC record tells of `name`: of what it has, or that it is not there. */
  denierOf(name: Name): Name;
  /** That NSEC record, of a name of the chain with records of `types`. */
  denialOf(denier: Name, types: readonly number[]): RecordSet;
}

const SECOND = 1000;
const DAY = 86_400;
/** Clocks of validators may be behind. */
const INCEPTION = 3600;
const VALIDITY = 14 * DAY;
/** What is in caches stays good for as long as any record may be there (MAX_TTL), with a day to spare. */
const RENEWAL = 6 * DAY;

/** Sets that are about keys are signed by all of them: parents and caches may still know one alone. */
const ABOUT_KEYS: ReadonlySet<number> = new Set([TYPE.DNSKEY, TYPE.CDS, TYPE.CDNSKEY]);

/**
 * Stands for sets that are made for an answer: one for all that are alike. It is a copy, since the addresses of an alias
 * may be another name's own set.
 */
function createSets() {
  const known = new Map<string, RecordSet>();
  return (source: Name, set: RecordSet): RecordSet => {
    const key = `${set.type} ${source}`;
    const before = known.get(key);
    if (before && isSame(before, set)) return before;
    const copy = { ...set };
    known.set(key, copy);
    return copy;
  };
}

function isSame(one: RecordSet, other: RecordSet): boolean {
  return (
    one.records.length === other.records.length &&
    one.records.every((record, at) => other.records[at]?.equals(record))
  );
}

/** `now` is in milliseconds since 1970. */
export function createZoneSigner(
  zone: Pick<Zone, 'apex' | 'nodes' | 'cuts' | 'negativeSoa'>,
  zoneKeys: readonly ZoneKey[],
  now: () => number,
): ZoneSigner {
  const { apex, nodes, negativeSoa } = zone;
  const signatures = new WeakMap<RecordSet, RecordSet>();
  const sameSet = createSets();
  /** NSEC records by their names, with the types that they tell of. */
  const denials = new Map<Name, { key: string; set: RecordSet }>();
  let chain: NameChain | undefined;
  let keys: { active: SigningKey[]; all: SigningKey[] } | undefined;

  function signingKeys(): { active: SigningKey[]; all: SigningKey[] } {
    const activeFirst = zoneKeys.toSorted(
      (a, b) => Number(b.state === 'active') - Number(a.state === 'active'),
    );
    const all = activeFirst.map(signingKeyOf);
    return { all, active: all.slice(0, 1) };
  }

  return {
    renewAt: now() + (RENEWAL + Math.random() * DAY) * SECOND,
    signaturesOf(source, given) {
      const isKept = nodes.get(source)?.get(given.type) === given || denials.get(source)?.set === given;
      const set = isKept ? given : sameSet(source, given);
      const known = signatures.get(set);
      if (known) return known;
      keys ??= signingKeys();
      const by = { apex, keys: ABOUT_KEYS.has(set.type) ? keys.all : keys.active };
      const second = Math.floor(now() / SECOND);
      const made = signSet({ owner: source, set }, by, {
        from: second - INCEPTION,
        until: second + VALIDITY,
      });
      signatures.set(set, made);
      return made;
    },
    denierOf(name) {
      chain ??= chainNames(zone);
      return chain.atOrBefore(name);
    },
    denialOf(denier, types) {
      const key = types.join();
      const known = denials.get(denier);
      if (known?.key === key) return known.set;
      chain ??= chainNames(zone);
      const set = denialSet(chain.after(denier), types, negativeSoa.ttl);
      denials.set(denier, { key, set });
      return set;
    },
  };
}
