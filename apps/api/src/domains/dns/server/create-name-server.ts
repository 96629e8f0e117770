import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Settings } from '../../../core/settings.ts';
import type { Notifications } from '../../../platform/notifications.ts';
import type { SecretsBox } from '../../../platform/secrets-box.ts';
import { openSealedRules } from '../secondaries/sealed-rules.ts';
import { ask } from './ask.ts';
import type { NameServer } from './name-server.ts';
import { nameServersOf } from './name-servers.ts';
import { createQueryCounts } from './query-counts.ts';
import { type ServerThread, startThread as startRealThread } from './thread-host.ts';
import { ELSEWHERE } from './thread-messages.ts';
import { createZoneStore, type ZoneStore, type ZoneStoreDeps } from './zone-store.ts';

export interface NameServerDeps {
  settings: Settings;
  db: Kysely<Database>;
  notifications: Notifications;
  secrets: Pick<SecretsBox, 'fingerprint' | 'open'>;
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

/** Tells machines apart without telling their names. */
function machineId(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, SERVER_ID);
}

/** Tries one thing again later; a further one takes the place of the one that waits. */
function createRetry() {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  return {
    in(milliseconds: number, action: () => Promise<void>): void {
      clearTimeout(timer);
      if (!stopped) timer = setTimeout(() => void action(), milliseconds).unref();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The name server in a thread of its own, with the zones of the database. */
export function createNameServer(deps: NameServerDeps): NameServer {
  const { settings, secrets, log, startThread = startRealThread } = deps;
  const { dnsPort: port, inherited = {} } = settings;
  const fds = { udpFd: inherited['dns-udp'], tcpFd: inherited['dns-tcp'] };
  const isInherited = fds.udpFd !== undefined || fds.tcpFd !== undefined;
  const counts = createQueryCounts();
  const starting = `The name server is starting on DNS_PORT ${port}.`;
  const serverId = machineId();
  const retry = createRetry();
  let address = '';
  let thread: ServerThread | undefined;
  let store: ZoneStore | undefined;
  let reason: string | null = port === 0 ? OFF : starting;

  function startServing(): ServerThread {
    const nameServers = nameServersOf(settings);
    const cookieKey = secrets.fingerprint('dns-cookies');
    return startThread(
      { host: address, port, ...fds, nameServers, serverId, cookieKey, counts: counts.memory },
      {
        onError: (message) => log.error({ reason: message }, 'name server'),
        onDeath: (error) => {
          if (isInherited) return void startOver(error);
          log.error({ err: error }, 'the name server exited; restarting it');
          reason = starting;
          retry.in(RETRY_THREAD, replaceThread);
        },
      },
    );
  }

  /** What the service manager gave went with the thread, and it gives it once to each process. */
  function startOver(error: unknown): void {
    log.fatal({ err: error }, 'the name server exited; the service ends, to be started again');
    process.kill(process.pid, 'SIGTERM');
  }

  async function replaceThread(): Promise<void> {
    thread = startServing();
    await store?.restart();
    await open();
  }

  /** Whatever holds the port may let go of it, an earlier process of ours for example. */
  async function open(): Promise<void> {
    const failure = await thread?.open();
    const next = failure ? bindFailure(failure.code, address, port) : null;
    if (next !== null && next !== reason) log.warn({ reason: failure?.message }, next);
    if (next === null) {
      const proofOfOwnership = settings.dnsVerifyOwnership;
      log.info({ address, port, serverId, proofOfOwnership }, 'the name server is ready');
    }
    reason = next;
    // A socket that was given is closed by now, and its number may be another's.
    if (failure && !isInherited) retry.in(RETRY_BIND, open);
  }

  return {
    async start() {
      if (port === 0) return;
      address = await bindAddressOf(settings).catch(() => '127.0.0.1');
      thread = startServing();
      const { db, notifications } = deps;
      const apply: ZoneStoreDeps['apply'] = (changed, removed) => thread?.apply(changed, removed);
      const openRules: ZoneStoreDeps['openRules'] = (zone) => openSealedRules(secrets, zone, log);
      store = createZoneStore({ db, notifications, secrets, log, openRules, apply });
      await store.start();
      await open();
    },
    async stop() {
      retry.stop();
      await store?.stop();
      await thread?.close();
      if (port !== 0) reason = starting;
    },
    unavailable: () => reason,
    port: () => (reason === null ? port : 0),
    ask: (name, type) => ask({ host: loopbackOf(address), port }, name, type),
    answered: counts.read,
  };
}

/** The IP address to bind: DNS_HOST, else what HOST stands for. */
async function bindAddressOf({ dnsHost, host }: Pick<Settings, 'dnsHost' | 'host'>): Promise<string> {
  const given = dnsHost ?? host;
  return isIP(given) ? given : (await lookup(given)).address;
}

/** Where this machine itself reaches what is bound to `address`. */
function loopbackOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/** Why the name server could not bind, in one sentence that names the setting to change. */
export function bindFailure(code: string, address: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `DNS_PORT ${port} on ${address} is in use by another program: stop it or set a different DNS_PORT.`;
    case 'EACCES':
      return `DNS_PORT ${port} on ${address} isn't permitted for this account: set DNS_PORT to 1024 or higher.`;
    case ELSEWHERE:
      return `DNS_HOST ${address} and DNS_PORT ${port} are not where the service manager listens: run install.sh again.`;
    case 'EADDRNOTAVAIL':
      return `DNS_HOST ${address} is not an address of this machine.`;
    default:
      return `DNS_PORT ${port} on ${address} cannot be used${code && ` (${code})`}.`;
  }
}
