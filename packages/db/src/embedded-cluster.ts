import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './embedded-binaries.ts';
import { reachableFolder } from './reachable-folder.ts';
import { removeTree } from './remove-tree.ts';
import { type Account, runsAsRoot, unprivilegedAccount } from './unprivileged-account.ts';
import { writePrivately } from './write-privately.ts';

const run = promisify(execFile);

export interface Cluster {
  folder: string;
  password: string;
  account: Account | undefined;
}

export interface ClusterOptions {
  dataDir: string;
  durable: boolean;
  password: string | undefined;
}

/** Nothing of our own environment, where secrets may be, reaches PostgreSQL. */
export const POSTGRES_ENVIRONMENT = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };

/** Whether `openCluster` would find a cluster rather than make one. */
export function hasCluster(dataDir: string): boolean {
  return isCluster(placeOf(dataDir));
}

/** The cluster of `dataDir`: the one that is there, or a new one. An initdb cut short leaves nothing that counts. */
export async function openCluster(binaries: Binaries, options: ClusterOptions): Promise<Cluster> {
  const folder = placeOf(options.dataDir);
  await removeHalfMade(folder);
  const account = accountFor(folder);
  const password = options.password ?? passwordBeside(folder) ?? newPassword(folder, account);
  if (!isCluster(folder)) {
    await initialise({ binaries, folder, account, password, durable: options.durable });
  }
  return { folder, password, account };
}

/** Where the cluster of `dataDir` lies: there, or where its account can reach it. */
export function placeOf(dataDir: string): string {
  const wanted = resolve(dataDir);
  return isCluster(wanted) ? wanted : reachableFolder(wanted, 'postgres');
}

/** Whether a folder holds a whole cluster. */
export function isCluster(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'));
}

/** PostgreSQL starts only for the owner of its folder, who may be another than we would choose today. */
function accountFor(folder: string): Account | undefined {
  if (!runsAsRoot() || !isCluster(folder)) return unprivilegedAccount();
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}

const passwordFile = (folder: string) => `${folder}.password`;

/** The superuser's password, as it is kept beside a cluster; undefined where none is. */
export function passwordBeside(folder: string): string | undefined {
  const file = passwordFile(folder);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function newPassword(folder: string, account: Account | undefined): string {
  const password = randomBytes(24).toString('base64url');
  writePrivately(passwordFile(folder), password, account);
  return password;
}

/** Who may connect to which database from where, and how they prove who they are: the lines of pg_hba.conf. */
export function writeAccessRules({ folder, account }: Cluster, rules: readonly string[]): void {
  writePrivately(join(folder, 'pg_hba.conf'), rules.join('\n'), account);
}

interface NewCluster extends Cluster {
  binaries: Binaries;
  durable: boolean;
  /** Of `initdb`, beside ours. */
  options?: readonly string[];
}

/** Makes `folder`, whole or not at all. Throws with initdb's last line. */
export async function initialise(cluster: NewCluster): Promise<void> {
  const { binaries, folder, account, password, durable, options: more = [] } = cluster;
  const half = `${folder}.new-${randomBytes(6).toString('hex')}`;
  const givenFile = passwordFile(half);
  mkdirSync(half, { mode: 0o700 });
  if (account) chownSync(half, account.uid, account.gid);
  writePrivately(givenFile, password, account);
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${givenFile}`];
  const text = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--lc-messages=C'];
  const sync = durable ? [] : ['--no-sync'];
  try {
    await run(binaries.initdb, ['-D', half, ...options, ...text, ...sync, ...more], {
      ...account,
      cwd: '/',
      env: POSTGRES_ENVIRONMENT,
    });
  } catch (error) {
    throw new Error(`Could not create the database cluster in ${folder}: ${lastLine(error)}`);
  } finally {
    rmSync(givenFile, { force: true });
  }
  renameSync(half, folder);
}

/** What a program said last, or why it could not be run. */
function lastLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
  return said || error.message;
}

async function removeHalfMade(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.new-`;
  for (const name of readdirSync(dirname(folder))) {
    if (name.startsWith(prefix)) await removeTree(join(dirname(folder), name));
  }
}
