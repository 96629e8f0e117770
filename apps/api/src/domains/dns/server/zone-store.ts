import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { createChangeFollower } from '../../../platform/change-follower.ts';
import type { Notifications } from '../../../platform/notifications.ts';
import type { SecretsBox } from '../../../platform/secrets-box.ts';
import type { SealedRules } from '../secondaries/sealed-rules.ts';
import { openKeys } from '../signing/zone-keys.ts';
import type { TransferRules } from './transfer/transfer-sources.ts';
import type { ZoneData } from './zone.ts';
import { listZoneVersions, readZones, type ZoneVersion } from './zone-reader.ts';

/** Keeps the served zones what the database says. */
export interface ZoneStore {
  /** Hands over every zone, then every change. Resolves once the first are all there, or could not be read. */
  start(): Promise<void>;
  /** Hands over every zone anew. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ZoneStoreDeps {
  db: Kysely<Database>;
  notifications: Notifications;
  secrets: Pick<SecretsBox, 'open'>;
  log: Logger;
  /** Who may copy a zone. */
  openRules: (zone: ZoneVersion & SealedRules) => TransferRules | undefined;
  apply: (changed: readonly ZoneData[], removed: readonly string[]) => void;
}

/** What `tell_zone_change()` notifies, with the domain. */
const CHANNEL = 'dns_zone_changed';
function versionOf({ id, serial, transferVersion }: Omit<ZoneVersion, 'domain'>): string {
  return `${id} ${serial} ${transferVersion}`;
}

/** Adds the domains whose versions differ from those handed over, which are `held` by domain. */
async function findChanges(
  db: Kysely<Database>,
  held: ReadonlyMap<string, string>,
  changed: Set<string>,
): Promise<void> {
  const gone = new Set(held.keys());
  for await (const page of listZoneVersions(db)) {
    for (const zone of page) {
      gone.delete(zone.domain);
      if (held.get(zone.domain) !== versionOf(zone)) changed.add(zone.domain);
    }
  }
  for (const domain of gone) changed.add(domain);
}

/** What the name server is given. A zone whose keys cannot be opened is served without signatures. */
function openZone(
  { openRules, secrets, log }: ZoneStoreDeps,
  { domain, serial, records, sealedKeys, ...rest }: Awaited<ReturnType<typeof readZones>>[number],
): ZoneData {
  const zone = { domain, serial, records, transfer: openRules({ domain, serial, ...rest }) };
  try {
    return { ...zone, keys: openKeys(secrets, sealedKeys) };
  } catch (error) {
    log.error({ err: error, domain }, 'keys of a DNS zone could not be opened; serving it unsigned');
    return zone;
  }
}

export function createZoneStore(deps: ZoneStoreDeps): ZoneStore {
  const { db, notifications, log, apply } = deps;
  /** Versions handed over, by domain. */
  const held = new Map<string, string>();
  const { load, start, stop } = createChangeFollower({
    ...{ notifications, log, channel: CHANNEL },
    failure: 'DNS zones could not be read; still serving the previous ones',
    readAll: (changed) => findChanges(db, held, changed),
    async readSome(domains) {
      const zones = await readZones(db, domains);
      const found = new Set(zones.map(({ domain }) => domain));
      const removed = domains.filter((domain) => !found.has(domain));
      apply(
        zones.map((zone) => openZone(deps, zone)),
        removed,
      );
      for (const zone of zones) held.set(zone.domain, versionOf(zone));
      for (const domain of removed) held.delete(domain);
    },
  });
  return {
    start,
    restart() {
      held.clear();
      return load();
    },
    stop,
  };
}
