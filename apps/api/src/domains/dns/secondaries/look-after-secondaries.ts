import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@nephos/db';
import ipaddr from 'ipaddr.js';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../../../core/settings.ts';
import { createDueLoop, type DueLoop } from '../../../platform/due-work.ts';
import type { Notifications } from '../../../platform/notifications.ts';
import type { SecretsBox } from '../../../platform/secrets-box.ts';
import type { AskingByUdp } from '../server/ask.ts';
import { nameOf } from '../server/names.ts';
import type { TsigKey } from '../server/transfer/tsig.ts';
import { askSerial, notifySecondary, SILENCE } from './ask-secondary.ts';
import {
  type DueSecondary,
  MAX_TRIES,
  noteOutcome,
  type Outcome,
  retryUnfinished,
  takeDue,
} from './due-secondaries.ts';
import { faultOfPlace } from './reachable.ts';
import { keyContext } from './sealed-rules.ts';

export interface CareDeps {
  db: Kysely<Database>;
  notifications: Pick<Notifications, 'subscribe'>;
  settings: Pick<Settings, 'dnsPort' | 'dnsHost' | 'allowPrivateSecondaries'>;
  secrets: Pick<SecretsBox, 'open'>;
  log: Logger;
}

/** Milliseconds before each look whether it has copied the change: a small zone takes as long as the network. */
const LOOKS = [250, 500, 1000];

/** What one try found, in words for whoever runs the secondary. */
function problemOf(domain: string, notified: string, seen: { serial: number } | { code: string }): string {
  if (notified === SILENCE && 'code' in seen && seen.code === SILENCE) return "It doesn't respond.";
  if (notified !== 'NOERROR' && notified !== SILENCE) {
    return `It answered the notification of a change with ${notified}. Check its key and the addresses it accepts.`;
  }
  if ('serial' in seen) {
    return notified === SILENCE
      ? "It didn't respond to the notification of a change."
      : "It hasn't copied the latest change yet.";
  }
  return seen.code === SILENCE
    ? `It doesn't respond to questions for ${domain}.`
    : `It answers questions for ${domain} with ${seen.code}.`;
}

/** From where secondaries expect us: the address that the name server has for itself alone. */
function ownAddress({ dnsHost }: CareDeps['settings'], address: string): string | undefined {
  if (dnsHost === undefined || ipaddr.process(dnsHost).range() === 'unspecified') return undefined;
  return ipaddr.parse(dnsHost).kind() === ipaddr.parse(address).kind() ? dnsHost : undefined;
}

/** The key that what one secondary is told is signed with; undefined where it cannot be read. */
function keyOf({ secrets }: CareDeps, { keyName, sealedSecret, zoneId }: DueSecondary): TsigKey | undefined {
  try {
    const secret = secrets.open(sealedSecret, keyContext(zoneId));
    return { name: nameOf(keyName), secret: Buffer.from(secret, 'base64') };
  } catch {
    return undefined;
  }
}

/** Tells one secondary, where it is behind, and looks whether that helped. */
async function lookAfter(deps: CareDeps, secondary: DueSecondary, signal: AbortSignal): Promise<Outcome> {
  const { settings } = deps;
  const { domain, address, toldSerial } = secondary;
  const fault = faultOfPlace(secondary, settings);
  if (fault) return { problem: fault.message };
  const asking: AskingByUdp = { from: ownAddress(settings, address), signal };
  const isBehind = secondary.serial !== toldSerial;
  const key = keyOf(deps, secondary);
  if (isBehind && !key) return { problem: "The transfer key can't be read. Create a new one." };
  const isToBeTold = isBehind && secondary.tries <= MAX_TRIES;
  let notified = 'NOERROR';
  if (key && isToBeTold) {
    notified = await notifySecondary(secondary, { domain, key }, asking);
  }
  let seen: Awaited<ReturnType<typeof askSerial>> = { code: SILENCE };
  // Who was not told, or does not listen, has nothing to copy.
  for (const pause of isToBeTold && notified === 'NOERROR' ? LOOKS : [0]) {
    await sleep(pause, undefined, { signal });
    seen = await askSerial(secondary, domain, asking);
    if ('serial' in seen && seen.serial === toldSerial) return { serial: toldSerial, problem: '' };
    if ('code' in seen && seen.code === SILENCE) break;
  }
  // What was cut short by our own end says nothing of it.
  signal.throwIfAborted();
  const problem = problemOf(domain, notified, seen);
  return 'serial' in seen ? { serial: seen.serial, problem } : { problem };
}

/** Looks after the secondaries of all zones, beside the other replicas: a change waits for nobody. */
export function createSecondariesCare(deps: CareDeps): DueLoop {
  const { db, notifications, settings, log } = deps;
  let isFirst = true;
  const loop = createDueLoop<DueSecondary>({
    // Changes that follow each other become one.
    ...{ notifications, log, atOnce: 64, settle: 250 },
    // What `tell_zone_change()` notifies.
    channel: 'dns_zone_changed',
    async take(most) {
      if (isFirst) await retryUnfinished(db);
      isFirst = false;
      return takeDue(db, most);
    },
    carryOut: async (secondary, signal) =>
      noteOutcome(db, secondary, await lookAfter(deps, secondary, signal)),
    failed: (error, { domain }) => log.warn({ err: error, domain }, 'a secondary could not be looked after'),
  });
  return {
    start() {
      if (settings.dnsPort !== 0) loop.start();
    },
    stop: () => loop.stop(),
  };
}
