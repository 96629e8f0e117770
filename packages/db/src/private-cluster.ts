import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from './embedded-binaries.ts';
import { initialise, isCluster, POSTGRES_ENVIRONMENT } from './embedded-cluster.ts';
import { clearLeftover } from './embedded-leftover.ts';
import { launchPostgres, type RunningServer } from './embedded-server.ts';
import { finishExchanges } from './exchanged-clusters.ts';
import { type HeldFolder, holdFolder } from './held-folder.ts';
import { makePassable, settledFolder } from './reachable-folder.ts';
import { removeTree } from './remove-tree.ts';
import { statementCounting } from './statement-counting.ts';
import { type Account, runsAsRoot, unprivilegedAccount } from './unprivileged-account.ts';
import { writePrivately } from './write-privately.ts';

const run = promisify(execFile);

/** PostgreSQL gives the socket this name, in a folder that only its account and root can enter. */
export const SOCKET = '.s.PGSQL.5432';

/** From 70000: beyond people, services, and the accounts of apps; below those that containers are given. */
const FIRST_ACCOUNT = 70_000;
const ACCOUNTS = 30_000;

/**
 * For a server of one database, of which many share a machine. Statements and row values stay out of the log: they may
 * hold what people entrusted to us.
 */
export const PARAMETERS = {
  listen_addresses: '',
  unix_socket_directories: '../run',
  port: 5432,
  max_connections: 40,
  // These are ours: the server can be administered while its database uses every other connection.
  superuser_reserved_connections: 5,
  authentication_timeout: '10s',
  temp_file_limit: '4GB',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  // What is finished of its log waits under `pg_wal/archive_status` until the console has kept it.
  archive_mode: 'on',
  archive_timeout: '60s',
  max_worker_processes: 4,
  max_parallel_workers: 2,
  autovacuum_worker_slots: 3,
  // Workers for it would be processes of each server.
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Each role is let into the one database alone, whatever its owner grants; the administrator into all. */
const accessRules = (name: string) => [
  'local all,replication postgres scram-sha-256',
  `local "${name}" all scram-sha-256`,
];

/** A cluster that runs. Such clusters lie side by side in one folder, each under the name of its database. */
export interface PrivateCluster {
  /** The administrator's, `postgres`. */
  password: string;
  /** Holds on to the folder of the socket. */
  sockets: HeldFolder;
  server: RunningServer;
}

/** The folder in `root` of the cluster of that name. */
export const homeOf = (root: string, name: string) => join(root, name);

/** Of the folders that are half made or half removed; what `initialise` lays beside one begins with its name. */
const HALF = /^\.(new|gone|template)-[0-9a-f]{12}/;

export const newHalf = (root: string, kind: 'new' | 'gone' | 'template') =>
  join(root, `.${kind}-${randomBytes(6).toString('hex')}`);

/** The folder of clusters: `dir`, or a place that their accounts get to. Throws where they lie out of their reach. */
export function clustersFolder(dir: string): string {
  return settledFolder(dir, 'databases', (root) => existsSync(root) && clustersIn(root).length > 0);
}

function clustersIn(root: string): string[] {
  const names = readdirSync(root).filter((name) => !name.startsWith('.'));
  return names.filter((name) => isCluster(join(homeOf(root, name), 'data')));
}

/**
 * Makes the folder of clusters, which any account may pass through, and lists those that are there, and the folders that
 * a stop left half made or half removed.
 */
export function openClusters(root: string): { names: string[]; leftovers: string[] } {
  makePassable(root);
  finishExchanges(root);
  const halves = readdirSync(root).filter((name) => HALF.test(name));
  return { names: clustersIn(root), leftovers: halves.map((name) => join(root, name)) };
}

/** Makes the cluster unless it is there: a copy of one that was initialised once. Without its database. */
export async function makeCluster(root: string, name: string, taken: readonly string[]): Promise<void> {
  const home = homeOf(root, name);
  if (existsSync(home)) return;
  const template = await makeTemplate(root);
  const half = newHalf(root, 'new');
  const [data, sockets] = [join(half, 'data'), join(half, 'run')];
  let account: Account | undefined;
  try {
    mkdirSync(half);
    chmodSync(half, 0o711);
    await run('cp', ['-R', template, data], { env: POSTGRES_ENVIRONMENT });
    mkdirSync(sockets, { mode: 0o700 });
    account = runsAsRoot() ? newAccount(root, taken) : undefined;
    // Nobody else can change what is in there yet.
    if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, data, sockets], { env: {} });
    await syncData(data);
    renameSync(half, home);
  } catch (error) {
    await removeTree(half);
    throw error;
  } finally {
    if (account) releaseAccount(account);
  }
}

/** Puts a copy on the disk as a whole: no log of PostgreSQL's could bring a lost page of it back. */
export async function syncData(data: string): Promise<void> {
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
  await run(findBinaries().initdb, ['--sync-only', ...method, '-D', data], { env: POSTGRES_ENVIRONMENT });
}

/** Of accounts whose clusters do not have their names yet. */
const given = new Set<number>();

/** Its cluster has its name, or was given up. */
export function releaseAccount({ uid }: Account): void {
  given.delete(uid);
}

/** A number that no cluster there has, nor one that is being made. A removal may take one of the names meanwhile. */
export function newAccount(root: string, taken: readonly string[]): Account {
  const owners = taken.map(
    (name) => statSync(join(homeOf(root, name), 'data'), { throwIfNoEntry: false })?.uid,
  );
  const used = new Set([...given, ...owners.filter((uid) => uid !== undefined)]);
  if (used.size >= ACCOUNTS) throw new Error('There is no account left for another database.');
  let uid = FIRST_ACCOUNT + (randomBytes(4).readUInt32BE() % ACCOUNTS);
  while (used.has(uid)) uid = FIRST_ACCOUNT + ((uid - FIRST_ACCOUNT + 1) % ACCOUNTS);
  given.add(uid);
  return { uid, gid: uid };
}

let making: Promise<string> | undefined;

/** The cluster that the others are copied from, out of reach of any other account; made where it is not there. */
export async function makeTemplate(root: string): Promise<string> {
  const template = join(root, 'template');
  if (isCluster(template)) return template;
  making ??= initialiseTemplate(root, template).finally(() => {
    making = undefined;
  });
  return making;
}

async function initialiseTemplate(root: string, template: string): Promise<string> {
  const account = unprivilegedAccount();
  const folder = newHalf(root, 'template');
  await initialise({
    // What `durable` syncs would not have its owner yet: it is done below.
    ...{ binaries: findBinaries(), folder, account, password: passwordForTemplate(root), durable: false },
    // Smaller pieces of its log: each database has a few of them.
    options: ['--wal-segsize=4', '--data-checksums'],
  });
  if (account) await run('chown', ['-R', '0:0', folder], { env: {} });
  await syncData(folder);
  renameSync(folder, template);
  return template;
}

const passwordFile = (root: string) => join(root, 'password');

/** Of clusters that are there already, or else a new one. */
function passwordForTemplate(root: string): string {
  const file = passwordFile(root);
  if (!existsSync(file)) writePrivately(file, randomBytes(24).toString('base64url'), undefined);
  return passwordIn(root);
}

/** All clusters have the template's: a new one would let nobody in. Throws where it is missing. */
export function passwordIn(root: string): string {
  const file = passwordFile(root);
  if (!existsSync(file))
    throw new Error(`The password of the administrator of databases is missing: ${file}`);
  return readFileSync(file, 'utf8').trim();
}

/**
 * Starts a cluster; `parameters` go over ours. Recovers from an earlier start that was killed, however long that takes.
 * Throws with PostgreSQL's own last line, or what `signal` was aborted with.
 */
export async function startCluster(
  root: string,
  name: string,
  {
    parameters = {},
    signal,
  }: { parameters?: Readonly<Record<string, string | number>>; signal?: AbortSignal } = {},
): Promise<PrivateCluster> {
  const home = homeOf(root, name);
  const [folder, account] = [join(home, 'data'), accountOf(home)];
  const password = passwordIn(root);
  await clearLeftover(folder);
  // Of a server that was killed: the number in it may be somebody else's by now.
  rmSync(join(home, 'run', `${SOCKET}.lock`), { force: true });
  const binaries = findBinaries();
  const rules = join(home, 'access');
  writeRules(rules, name, account);
  const server = await launchPostgres({
    ...{ binaries, folder, account, logFile: join(home, 'log'), signal },
    parameters: { ...PARAMETERS, ...statementCounting(binaries), ...parameters, hba_file: rules },
  });
  try {
    const sockets = await holdFolder(join(home, 'run'), account);
    return { password, sockets, server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Beside the data: what is in there, the account of the cluster could change under our hands. Not waited for on the disk,
 * since each start sees to it.
 */
function writeRules(file: string, name: string, account: Account | undefined): void {
  const text = `${accessRules(name).join('\n')}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(half, text, { mode: 0o600, flag: 'wx' });
  if (account) chownSync(half, account.uid, account.gid);
  renameSync(half, file);
}

export function accountOf(home: string): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const { uid, gid } = statSync(join(home, 'data'));
  return { uid, gid };
}

/** Ends what a killed process of ours left running on a cluster. */
export async function clearCluster(root: string, name: string): Promise<void> {
  await clearLeftover(join(homeOf(root, name), 'data'));
}

/** Removes a folder that a stop left half made or half removed, and ends what a killed process left running in it. */
export async function removeHalf(folder: string): Promise<void> {
  const data = join(folder, 'data');
  if (existsSync(data)) await clearLeftover(data);
  await removeTree(folder);
}

/** Removes a cluster that does not run. */
export async function removeCluster(root: string, name: string): Promise<void> {
  const home = homeOf(root, name);
  if (!existsSync(home)) return;
  const gone = newHalf(root, 'gone');
  renameSync(home, gone);
  await removeTree(gone);
}

/** Version of PostgreSQL that clusters run, like 18.4. */
export async function clusterVersion(): Promise<string> {
  const { stdout } = await run(findBinaries().postgres, ['--version'], { env: POSTGRES_ENVIRONMENT });
  return /\d+(\.\d+)*/.exec(stdout)?.[0] ?? '';
}
