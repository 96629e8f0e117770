import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
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
/** Zones read at once: bounds memory, and joins the changes of a burst. */
const BATCH = 200;
const RETRY = 500;

/** What is known of the zones that were handed over, and of those that have to be read again. */
interface Holdings {
  /** Versions handed over, by domain. */
  held: Map<string, string>;
  changed: Set<string>;
  /** Any zone may have changed. */
  missedSome: boolean;
}

function versionOf({ id, serial, transferVersion }: Omit<ZoneVersion, 'domain'>): string {
  return `${id} ${serial} ${transferVersion}`;
}

/** Compares all versions with those handed over. */
async function findChanges(db: Kysely<Database>, holdings: Holdings): Promise<void> {
  const { held, changed } = holdings;
  holdings.missedSome = false;
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

/** Reads some zones and hands them over; where that fails, they count as changed again. */
async function handOver(
  deps: ZoneStoreDeps,
  { held, changed }: Holdings,
  domains: readonly string[],
): Promise<void> {
  const { db, apply } = deps;
  for (const domain of domains) changed.delete(domain);
  try {
    const zones = await readZones(db, domains);
    const found = new Set(zones.map(({ domain }) => domain));
    const removed = domains.filter((domain) => !found.has(domain));
    apply(
      zones.map((zone) => openZone(deps, zone)),
      removed,
    );
    for (const zone of zones) held.set(zone.domain, versionOf(zone));
    for (const domain of removed) held.delete(domain);
  } catch (error) {
    for (const domain of domains) changed.add(domain);
    throw error;
  }
}

export function createZoneStore(deps: ZoneStoreDeps): ZoneStore {
  const { db, notifications, log } = deps;
  const holdings: Holdings = { held: new Map(), changed: new Set(), missedSome: false };
  let stopped = false;
  let work: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  async function catchUp(): Promise<void> {
    const { changed } = holdings;
    try {
      while (!stopped && (holdings.missedSome || changed.size > 0)) {
        if (holdings.missedSome) await findChanges(db, holdings);
        const batch = [...changed.values().take(BATCH)];
        if (batch.length > 0) await handOver(deps, holdings, batch);
      }
    } catch (error) {
      log.warn({ err: error }, 'DNS zones could not be read; still serving the previous ones');
      holdings.missedSome = true;
      retry = setTimeout(() => void begin(), RETRY);
    }
  }

  /** Changes that come while work is under way are its next round. */
  function begin(): Promise<void> {
    clearTimeout(retry);
    work ??= catchUp().finally(() => {
      work = undefined;
    });
    return work;
  }

  function readAll(): Promise<void> {
    holdings.missedSome = true;
    return begin();
  }

  return {
    start() {
      const take = (domain: string) => {
        holdings.changed.add(domain);
        void begin();
      };
      unsubscribe = notifications.subscribe(CHANNEL, take, () => void readAll());
      return readAll();
    },
    restart() {
      holdings.held.clear();
      return readAll();
    },
    async stop() {
      stopped = true;
      unsubscribe();
      await work;
      clearTimeout(retry);
    },
  };
}
