import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Binaries, findBinaries } from './embedded-binaries.ts';
import { type Cluster, openCluster, writeAccessRules } from './embedded-cluster.ts';
import { clearLeftover } from './embedded-leftover.ts';
import { launchPostgres, PortInUse, type RunningServer } from './embedded-server.ts';
import { parametersOf, type ServerSettings } from './embedded-settings.ts';

export { clusterSize } from './cluster-size.ts';
export { clustersHome } from './clusters-home.ts';
export { hasCluster, isCluster, placeOf } from './embedded-cluster.ts';
export { PortInUse } from './embedded-server.ts';
export { exchangeClusters, placeOfCluster } from './exchanged-clusters.ts';
export { type FinishedWal, takeFinishedWal } from './finished-wal.ts';
export {
  accountOf,
  clearCluster,
  clustersFolder,
  clusterVersion,
  makeCluster,
  newAccount,
  openClusters,
  type PrivateCluster,
  passwordIn,
  releaseAccount,
  removeCluster,
  removeHalf,
  SOCKET,
  startCluster,
} from './private-cluster.ts';

export { type Recovery, recoverCluster } from './recovered-cluster.ts';
export { addressOfRunning } from './running-cluster.ts';

export interface EmbeddedOptions {
  /** Where the cluster lives; made when absent. Beside it come `<dataDir>.password` and `<dataDir>.log`. */
  dataDir: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /** false gives up crash safety for speed: for data that is thrown away. */
  durable?: boolean;
  /** The superuser's; by default one is made and kept beside the data. */
  password?: string;
  /** Addresses beside 127.0.0.1; `0.0.0.0` is all of IPv4, `::` all. */
  listen?: readonly string[];
  /** Lines of pg_hba.conf; by default every role may come from loopback, with its password. */
  accessRules?: readonly string[];
  /** PostgreSQL's own parameters by name, over those of `parametersOf`. */
  parameters?: Readonly<Record<string, string | number>>;
}

export interface EmbeddedPostgres extends RunningServer {
  /** Address of the database `postgres` as superuser. It carries the password: never log it. */
  url: string;
  port: number;
}

const PORT_ATTEMPTS = 5;

/**
 * Starts the PostgreSQL that the platform package brings and waits until it takes connections: on loopback, and where
 * else `listen` says. Recovers from an earlier start that was killed. Throws `PortInUse`, or with PostgreSQL's own
 * last line.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, port = 0, durable = true, password, listen = [], accessRules, parameters = {} } = options;
  const binaries = findBinaries();
  const cluster = await openCluster(binaries, { dataDir, durable, password });
  await clearLeftover(cluster.folder);
  if (accessRules) writeAccessRules(cluster, accessRules);
  for (let attempt = 1; ; attempt++) {
    try {
      const settings = { port: port || (await freePort()), durable, listen, parameters };
      return await launch(binaries, cluster, settings);
    } catch (error) {
      // Another program may take the free port in the moment before PostgreSQL does.
      if (port !== 0 || !(error instanceof PortInUse) || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function launch(
  binaries: Binaries,
  { folder, account, password }: Cluster,
  settings: ServerSettings,
): Promise<EmbeddedPostgres> {
  const { port } = settings;
  const server = await launchPostgres({
    ...{ binaries, folder, account, logFile: `${folder}.log`, parameters: parametersOf(settings) },
  });
  return {
    ...server,
    url: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    port,
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
