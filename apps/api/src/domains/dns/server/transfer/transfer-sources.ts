import { type Name, nameOf } from '../names.ts';
import type { Zone } from '../zone.ts';
import type { ZoneSet } from '../zone-set.ts';
import type { TsigKey } from './tsig.ts';
import { createZoneHistory, type ZoneHistory } from './zone-history.ts';

/** Who may copy a zone. */
export interface TransferRules {
  key: {
    name: string;
    /** In base64. */
    secret: string;
  };
  /** IP addresses, each in its canonical form. */
  addresses: readonly string[];
}

/** A zone that may be copied, as its key names it. */
export interface TransferSource {
  apex: Name;
  key: TsigKey;
  addresses: ReadonlySet<string>;
}

/** The zones that may be copied. */
export interface TransferSources {
  /** To be told before the zone is put among those that are served. */
  put(zone: Zone, rules: TransferRules | undefined): void;
  remove(apex: Name): void;
  /** By the name of the key that a message is signed with. */
  find(keyName: Name): TransferSource | undefined;
  history: Pick<ZoneHistory, 'since'>;
}

export function createTransferSources(zones: ZoneSet): TransferSources {
  const byKey = new Map<Name, TransferSource>();
  const byApex = new Map<Name, TransferSource>();
  const history = createZoneHistory();

  function remove(apex: Name): void {
    const source = byApex.get(apex);
    if (source) byKey.delete(source.key.name);
    byApex.delete(apex);
  }

  return {
    put(zone, rules) {
      const { apex } = zone;
      remove(apex);
      const former = zones.authorityOf(apex);
      if (!rules || rules.addresses.length === 0) {
        history.forget(apex);
        return;
      }
      const key = { name: nameOf(rules.key.name), secret: Buffer.from(rules.key.secret, 'base64') };
      const source = { apex, key, addresses: new Set(rules.addresses) };
      byApex.set(apex, source);
      byKey.set(key.name, source);
      if (former?.apex === apex) history.note(former, zone);
    },
    remove(apex) {
      remove(apex);
      history.forget(apex);
    },
    find: (keyName) => byKey.get(keyName),
    history,
  };
}
