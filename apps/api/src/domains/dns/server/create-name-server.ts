import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../../../env.ts';
import type { Notifications } from '../../../platform/notifications.ts';
import { nameServersOf } from '../name-servers.ts';
import { ask } from './ask.ts';
import { bindAddressOf, bindFailure, loopbackOf } from './bind-address.ts';
import type { NameServer } from './name-server.ts';
import { createQueryCounts } from './query-counts.ts';
import { type ServerThread, startThread as startRealThread } from './thread-host.ts';
import { createZoneStore, type ZoneStore } from './zone-store.ts';

export interface NameServerDeps {
  settings: Settings;
  db: Kysely<Database>;
  notifications: Notifications;
  log: Logger;
  /** For tests that look inside. */
  startThread?: typeof startRealThread;
}

const OFF = 'The name server is off: set DNS_PORT to a port from 1 to 65535.';
/** Characters of what a question for NSID is answered with. */
const SERVER_ID = 8;
/** Milliseconds until a port that is taken is tried again, and until a thread that died is replaced. */
const RETRY_BIND = 10_000;
const RETRY_THREAD = 500;

/** The name server in a thread of its own, with the zones of the database. */
export function createNameServer({
  settings,
  db,
  notifications,
  log,
  startThread = startRealThread,
}: NameServerDeps): NameServer {
  const { dnsPort } = settings;
  const counts = createQueryCounts();
  const starting = `The name server is starting on DNS_PORT ${dnsPort}.`;
  // Of the machine, whose name is nobody's business.
  const serverId = createHash('sha256').update(hostname()).digest('hex').slice(0, SERVER_ID);
  let address = '';
  let thread: ServerThread | undefined;
  let store: ZoneStore | undefined;
  let reason: string | null = dnsPort === 0 ? OFF : starting;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  function startServing(): ServerThread {
    return startThread(
      {
        host: address,
        port: dnsPort,
        nameServers: nameServersOf(settings),
        serverId,
        counts: counts.memory,
      },
      {
        onError: (message) => log.error({ reason: message }, 'name server'),
        onDeath: (error) => {
          log.error({ err: error }, 'the name server died; starting it again');
          reason = starting;
          again(RETRY_THREAD, replaceThread);
        },
      },
    );
  }

  function again(after: number, action: () => Promise<void>): void {
    clearTimeout(retry);
    if (!stopped) retry = setTimeout(() => void action(), after).unref();
  }

  async function replaceThread(): Promise<void> {
    thread = startServing();
    await store?.restart();
    await open();
  }

  /** Whatever holds the port may let go of it, an earlier process of ours for example. */
  async function open(): Promise<void> {
    const failure = await thread?.open();
    const next = failure ? bindFailure(failure.code, address, dnsPort) : null;
    if (next !== null && next !== reason) log.warn({ reason: failure?.message }, next);
    if (next === null) {
      const proofOfOwnership = settings.dnsVerifyOwnership;
      log.info({ address, port: dnsPort, serverId, proofOfOwnership }, 'the name server answers');
    }
    reason = next;
    if (failure) again(RETRY_BIND, open);
  }

  return {
    async start() {
      if (dnsPort === 0) return;
      address = await bindAddressOf(settings).catch(() => '127.0.0.1');
      thread = startServing();
      store = createZoneStore({
        db,
        notifications,
        log,
        apply: (changed, removed) => thread?.apply(changed, removed),
      });
      await store.start();
      await open();
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await store?.stop();
      await thread?.close();
      if (dnsPort !== 0) reason = starting;
    },
    unavailable: () => reason,
    port: () => (reason === null ? dnsPort : 0),
    ask: (name, type) => ask({ host: loopbackOf(address), port: dnsPort }, name, type),
    answered: counts.read,
  };
}
