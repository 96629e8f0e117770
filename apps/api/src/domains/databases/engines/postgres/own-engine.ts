import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clustersFolder } from '@nephos/db/embedded';
import type pg from 'pg';
import type { FindCertificate } from '../../../../http/tls-server.ts';
import type { SecretsBox } from '../../../../platform/secrets-box.ts';
import type { Credentials, DatabaseEngine, EngineParts } from '../engine.ts';
import { clientHost } from '../listening.ts';
import type { Cluster } from './clusters/cluster.ts';
import { type ClustersParts, createClusters } from './clusters/clusters.ts';
import { SERVER_FIGURES, type ServerFigures } from './clusters/server-figures.ts';
import { createStorageGuard, type StorageGuardParts } from './clusters/storage-guard.ts';
import { BeingMoved } from './door/being-moved.ts';
import { createDoor, type Entry, type Wanted } from './door/door.ts';
import { isLetIn } from './is-let-in.ts';
import { createMover } from './mover.ts';
import { clustersObserver, sharedObserver } from './observer.ts';
import { createPooledPort } from './pooler/pooled-port.ts';
import {
  createOwnedDatabase,
  createRole,
  dropDatabase,
  dropRole,
  limitConnections,
} from './postgres-databases.ts';
import { addExtension, listExtensions, removeExtension } from './postgres-extensions.ts';
import { createPostgresServer } from './postgres-server.ts';
import { replacePassword, usageOf } from './postgres-sessions.ts';
import { removeUser, setUser } from './postgres-users.ts';
import { scramVerifier } from './scram-verifier.ts';
import { createServersPast } from './servers-past.ts';
import { sharedPostgres } from './shared-postgres.ts';

export interface OwnEngineParts
  extends EngineParts,
    Pick<ClustersParts, 'records' | 'lookEvery' | 'patience'> {
  databaseSettings: StorageGuardParts['records'];
  secrets: Pick<SecretsBox, 'deriveKey'>;
  certificateFor: FindCertificate;
  /** Seconds after which the pooler ends a session that nobody uses. */
  pooledIdle?: number | undefined;
}

const RETRY_MS = 5000;
const NOT_POOLED = 'Only databases with a server of their own have a pooled address.';
/** Milliseconds for what has to be told within 3 s, however long the server takes to start. */
const ANSWER_MS = 2700;

/** PostgreSQL databases of which each has a server of its own, behind one port. */
export function ownEngine({
  settings,
  log,
  records,
  databaseSettings,
  secrets,
  certificateFor,
  lookEvery,
  patience,
  pooledIdle,
}: OwnEngineParts): DatabaseEngine {
  const { managedPostgresPort: wanted, host, publicUrl } = settings;
  const findRoot = () => clustersFolder(join(settings.dataDir, 'databases'));
  const clusters = createClusters({ findRoot, records, figuresFor, log, lookEvery, patience });
  const guard = createStorageGuard({ clusters, records: databaseSettings, log, lookEvery });
  const source = sharedPostgres(settings, log, (name) => clusters.find(name) !== undefined);
  const shared = createPostgresServer(source, log);
  const mover = createMover({ clusters, shared, figuresFor, findRoot, log });
  // On the shared one, each role is let into the database of its own name alone; it would say so before any password.
  const isThere = ({ user, database }: Wanted) =>
    clusters.find(database) !== undefined || (user === database && source.hasDatabases());
  const speaking = {
    ...{ log, key: secrets.deriveKey('postgres-door') },
    certificateFor: (name: string | undefined) => certificateFor(name ?? publicUrl.hostname),
  };
  const door = createDoor({ ...speaking, isThere, admit });
  const pooledPort = createPooledPort({
    ...speaking,
    settings,
    find: clusters.find,
    refusalFor: guard.refusalFor,
    port: () => port,
    idle: pooledIdle,
  });
  let port = wanted;
  let beginning: Promise<void> | undefined;
  let listening = false;
  let problem: string | null = null;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  async function figuresFor(name: string): Promise<ServerFigures> {
    // Where our own data is away, people's servers start all the same.
    return chosenFigures(name).catch((error) => {
      log.warn({ err: error, database: name }, 'the class of a database could not be read');
      return SERVER_FIGURES.small;
    });
  }

  async function chosenFigures(name: string): Promise<ServerFigures> {
    const settings = await databaseSettings.settingsOf(name);
    return SERVER_FIGURES[settings?.sizeClass ?? 'small'];
  }

  async function admit({ database }: Wanted): Promise<Entry> {
    const cluster = clusters.find(database);
    if (cluster) return enter(database, cluster);
    if (!source.hasDatabases()) return undefined;
    if (mover.isMoving(database)) throw new BeingMoved();
    const { address } = await shared.open();
    return { server: { host: address.hostname, port: Number(address.port) }, leave() {} };
  }

  async function enter(name: string, cluster: Cluster): Promise<Entry> {
    // One that is closed is not woken to say so.
    let refusal = guard.refusalFor(name);
    if (refusal !== undefined) return { refusal };
    const path = await cluster.enter();
    if (path === undefined) return 'full';
    await guard.settled(name);
    refusal = guard.refusalFor(name);
    if (refusal === undefined) {
      const hint = guard.hintFor(name) === undefined ? undefined : () => guard.hintFor(name);
      return { server: { path }, leave: cluster.leave, hint };
    }
    cluster.leave();
    return { refusal };
  }

  /** Once: what is there is known before anything is made or asked for. */
  function begun(): Promise<void> {
    beginning ??= clusters
      .start()
      .then(guard.start)
      .catch((error) => {
        beginning = undefined;
        throw error;
      });
    return beginning;
  }

  async function start(): Promise<void> {
    clearTimeout(retry);
    if (stopped) return;
    try {
      await begun();
      if (source.hasDatabases()) void shared.start();
      if (!listening && !stopped) {
        port = await door.listen({ host, port: wanted });
        listening = true;
        // The stop may have come meanwhile.
        if (stopped) await door.close();
        else await pooledPort.start();
      }
      problem = null;
    } catch (error) {
      const reason = explain(error, wanted);
      if (reason !== problem) log.error({ err: error }, reason);
      problem = reason;
      if (!stopped) retry = setTimeout(() => void start(), RETRY_MS).unref();
    }
  }

  function addressFor({ name, password }: Credentials, at = port): string {
    if (at === 0) throw new Error('The port of PostgreSQL databases is not known yet.');
    const url = new URL(`postgresql://${clientHost(settings)}:${at}/${name}`);
    url.username = name;
    url.password = password;
    return url.href;
  }

  /** Of the server that has the database. Throws where none can have it. */
  async function during<T>(name: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    await begun();
    const cluster = clusters.find(name);
    if (cluster) return cluster.during(work);
    return onShared(name, work);
  }

  function findCluster(name: string): Cluster {
    const cluster = clusters.find(name);
    if (!cluster) throw new Error(`There is no server of ${name}.`);
    return cluster;
  }

  async function onShared<T>(name: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    if (!source.hasDatabases()) throw new Error(`There is no database ${name}.`);
    const { pool } = await shared.open();
    return work(pool);
  }

  return {
    type: 'postgresql',
    runsHere: true,
    unavailable: () => problem,
    lastStart: (name) => clusters.find(name)?.lastStart,
    start,
    async home() {
      await begun();
      return clusters.home();
    },
    async wake(name) {
      await begun();
      await clusters.find(name)?.wake();
    },
    async stop() {
      stopped = true;
      clearTimeout(retry);
      guard.stop();
      mover.stop();
      await pooledPort.stop();
      await door.close();
      await beginning?.catch(() => {});
      await Promise.all([clusters.stop(), shared.stop()]);
    },
    async create({ name, password }) {
      await begun();
      const cluster = await clusters.make(name);
      const verifier = await scramVerifier(password);
      await cluster.during(async (pool) => {
        await createRole(pool, name, verifier);
        await createOwnedDatabase(pool, name);
      });
    },
    async setPassword({ name, password }) {
      await begun();
      // Who comes from now on waits for the new one.
      const replace = async (pool: pg.Pool) => replacePassword(pool, name, await scramVerifier(password));
      const cluster = clusters.find(name);
      await (cluster ? cluster.alone(replace) : mover.beside(name, () => onShared(name, replace)));
      pooledPort.end(name);
    },
    accepts({ name, password }) {
      const answer = during(name, (pool) => {
        const url = new URL(pool.options.connectionString ?? '');
        [url.username, url.password, url.pathname] = [name, password, `/${name}`];
        return isLetIn(url.href);
      });
      return Promise.race([answer, late()]);
    },
    async remove(name) {
      await begun();
      pooledPort.end(name);
      await mover.after(name, async () => {
        await clusters.remove(name);
        if (!source.hasDatabases()) return;
        await onShared(name, async (pool) => {
          await dropDatabase(pool, name);
          await dropRole(pool, name);
        });
      });
    },
    async usage(name) {
      await begun();
      const cluster = clusters.find(name);
      if (!cluster) return onShared(name, (pool) => usageOf(pool, name));
      // Those that its role is refused for their number are among them for a moment.
      const { connections: connectionLimit } = await figuresFor(name);
      const connections = Math.min(cluster.connections, connectionLimit);
      return { size: await clusters.size(name), connections, connectionLimit };
    },
    async settingsChanged(name) {
      await begun();
      await guard.look(name);
    },
    async move(name, steps) {
      await begun();
      return source.hasDatabases() ? mover.move(name, steps) : clusters.find(name) !== undefined;
    },
    past: createServersPast(clusters, begun, figuresFor, {
      exchanged: guard.forget,
      swapped: pooledPort.end,
    }),
    async resize(name) {
      await begun();
      const cluster = clusters.find(name);
      // Where it cannot be read, nothing is made smaller for that, and whoever asked tries again.
      await chosenFigures(name);
      await cluster?.refit();
      const { connections } = await chosenFigures(name);
      await cluster?.during((pool) => limitConnections(pool, name, connections));
    },
    async users(name, work) {
      await begun();
      return findCluster(name).alone(async (pool) => {
        const { connections } = await figuresFor(name);
        return work({
          async set({ password, ...user }) {
            await setUser(pool, name, { ...user, connections, verifier: await scramVerifier(password) });
          },
          remove: (user) => removeUser(pool, name, user),
        });
      });
    },
    async extensions(name, work) {
      await begun();
      return findCluster(name).during((pool) =>
        work({
          list: () => listExtensions(pool, name),
          add: (extension) => addExtension(pool, name, extension),
          remove: (extension) => removeExtension(pool, name, extension),
        }),
      );
    },
    connectionString: (credentials) => addressFor(credentials),
    pooled(credentials) {
      if (!clusters.find(credentials.name)) return { reason: NOT_POOLED };
      const at = pooledPort.at();
      return 'port' in at ? { connectionString: addressFor(credentials, at.port) } : at;
    },
    pooledPort() {
      const at = pooledPort.at();
      return 'port' in at ? at.port : undefined;
    },
    observer: clustersObserver({
      ...{ clusters, begun },
      shared: sharedObserver(async () => (source.hasDatabases() ? (await shared.open()).pool : undefined)),
    }),
  };
}

async function late(): Promise<never> {
  await wait(ANSWER_MS, undefined, { ref: false });
  throw new Error(`The server did not answer within ${ANSWER_MS} ms.`);
}

function explain(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'EADDRINUSE'
    ? `MANAGED_POSTGRES_PORT ${port} is in use by another program: set it to another port.`
    : 'PostgreSQL could not be started. See the Nephos log, or set MANAGED_POSTGRES_URL to use another server.';
}
