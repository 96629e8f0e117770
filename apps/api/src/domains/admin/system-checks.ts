import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Check, type CheckContext, type Finding, healthy, off, unhealthy } from './check.ts';

/** Names of the languages that apps are written in, as people write them. */
const FRAMEWORK_NAMES = { nodejs: 'Node.js', static: 'static sites', python: 'Python' } as const;

/** What Nephos itself is made of. */
export function systemChecks(ctx: CheckContext): Check[] {
  const { settings } = ctx;
  return [
    {
      id: 'own-database',
      name: 'Own data',
      running: settings.databaseUrl ? 'PostgreSQL elsewhere' : 'Embedded PostgreSQL',
      settings: ['DATABASE_URL'],
      look: () => askOwnDatabase(ctx),
    },
    {
      id: 'job-queue',
      name: 'Background jobs',
      running: 'Queue in our own database',
      settings: ['DATABASE_URL'],
      look: () => askJobQueue(ctx),
    },
    {
      id: 'deployment-runtime',
      name: 'Deployment runtime',
      running: 'Processes on this machine',
      settings: ['DEPLOY_RUNTIME', 'ALLOW_PROCESS_RUNTIME'],
      look: () => lookAtRuntimes(ctx),
    },
    {
      id: 'object-store',
      name: 'Object store',
      running: 'Files on this machine',
      settings: ['DATA_DIR'],
      look: () => tryObjectStore(ctx),
    },
    {
      id: 'dns',
      name: 'Name server',
      running: `Our own, ${settings.dnsVerifyOwnership ? 'for domains that were proved' : 'for any domain, without proof'}`,
      settings: ['DNS_PORT', 'DNS_HOST', 'DNS_NAMESERVERS', 'DNS_VERIFY_OWNERSHIP'],
      look: () => askNameServer(ctx),
    },
    {
      id: 'billing',
      name: 'Billing',
      running: settings.billing ? 'Trials and plans' : 'None',
      settings: ['BILLING'],
      look: () =>
        settings.billing
          ? healthy('Plans limit what people have, and are paid for by card.')
          : off('No trial and no plan limits anything, and nothing is charged.'),
    },
    {
      id: 'signups',
      name: 'Sign-ups',
      running: settings.signups === 'open' ? 'Open' : 'Closed',
      settings: ['SIGNUPS'],
      look: () =>
        settings.signups === 'open'
          ? healthy('Whoever comes can make an account.')
          : off('An account is made by an invitation alone: invite people on the tab Users.'),
    },
  ];
}

async function askOwnDatabase({ db }: CheckContext): Promise<Finding> {
  const { rows } = await sql<{ version: string; size: string }>`
    select current_setting('server_version') as version,
      pg_size_pretty(pg_database_size(current_database())) as size`.execute(db);
  return healthy(`PostgreSQL ${rows[0]?.version}, ${rows[0]?.size} in use.`);
}

/** The queue looks after itself every few seconds, and writes down when it did. */
async function askJobQueue({ db }: CheckContext): Promise<Finding> {
  const { rows } = await sql<{ alive: boolean; waiting: number }>`
    select coalesce(greatest(max(monitor_on), max(created_on)) > now() - interval '1 minute', false) as alive,
      coalesce(sum(queued_count), 0) as waiting from pgboss.queue`.execute(db);
  const { alive = false, waiting = 0 } = rows[0] ?? {};
  if (!alive) return unhealthy('Nothing has looked after the jobs for a minute: no server works on them.');
  return healthy(waiting === 1 ? '1 job waits.' : `${waiting} jobs wait.`);
}

function lookAtRuntimes({ engine }: CheckContext): Finding {
  const runtimes = engine.runtimes();
  const missing = runtimes.filter(({ available }) => !available);
  const works = runtimes
    .filter(({ available }) => available)
    .map(({ framework }) => FRAMEWORK_NAMES[framework]);
  const reasons = [...new Set(missing.map(({ reason }) => reason))].join(' ');
  if (works.length === 0) return unhealthy(reasons);
  return healthy(`Runs ${works.join(', ')}.${reasons && ` ${reasons}`}`);
}

/** Stores something, and reads it again. */
async function tryObjectStore({ objects }: CheckContext): Promise<Finding> {
  const key = `checks/${randomUUID()}`;
  const written = Buffer.from(key);
  try {
    await objects.put(key, bytesOf(written));
    const stored = await objects.get(key);
    const read = stored ? Buffer.concat(await stored.toArray()) : Buffer.alloc(0);
    return read.equals(written)
      ? healthy('What is stored can be read again.')
      : unhealthy('What was stored could not be read again.');
  } finally {
    await objects.delete(key);
  }
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Any answer will do, also that it knows nothing of the name. */
async function askNameServer({ nameServer, settings }: CheckContext): Promise<Finding> {
  const reason = nameServer.unavailable();
  if (reason !== null) return settings.dnsPort === 0 ? off(reason) : unhealthy(reason);
  const { responseCode, milliseconds } = await nameServer.ask('nephos.invalid', 'A');
  if (responseCode === 'TIMEOUT') return unhealthy(`It does not answer on port ${nameServer.port()}.`);
  return healthy(`Answers on port ${nameServer.port()}, in ${Math.max(Math.round(milliseconds), 1)} ms.`);
}
