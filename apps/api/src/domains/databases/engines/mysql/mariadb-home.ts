import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Account,
  reachableFolder,
  removeTree,
  runsAsRoot,
  unprivilegedAccount,
  writePrivately,
} from '@nephos/db';
import type { MariadbPrograms } from './mariadb-programs.ts';

const run = promisify(execFile);

const INSTALL_MS = 120_000;
/** Debian's account for it; another where MariaDB came some other way. */
const ACCOUNTS = ['mysql', 'nobody'];

/** Nothing of our own environment, where secrets may be, reaches MariaDB. */
export const MARIADB_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Half the default size: what a write-ahead log takes on an idle machine's disk. */
export const LOG_FILE_SIZE = '48M';

/** The folder that holds all of one private server. Only `data`, `files` and `tmp` in it belong to its account. */
export interface MariadbHome {
  folder: string;
  data: string;
  /** The administrator's. */
  password: string;
  account: Account | undefined;
}

/** Where the private server of a data folder lives. */
export function mariadbFolder(dataDir: string): string {
  return reachableFolder(join(dataDir, 'managed-mysql'), 'managed-mysql');
}

/** Whether a private server was made there before. */
export function isMariadbHome(folder: string): boolean {
  return existsSync(join(folder, 'data'));
}

/** The home in `folder`: the one that is there, or a new one. An installation cut short leaves nothing that counts. */
export async function openMariadbHome(folder: string, programs: MariadbPrograms): Promise<MariadbHome> {
  claim(folder);
  const account = accountFor(folder);
  // Server-side file functions could see only an empty folder, even if somebody had the privilege.
  makePrivate(join(folder, 'files'), account);
  await removeTree(join(folder, 'tmp'));
  makePrivate(join(folder, 'tmp'), account);
  for (const name of readdirSync(folder)) {
    if (name.startsWith('data.new-')) await removeTree(join(folder, name));
  }
  const home = { folder, data: join(folder, 'data'), password: passwordOf(folder), account };
  if (!isMariadbHome(folder)) await install(home, programs);
  return home;
}

/** The port that was taken at the first start, which connection strings carry ever after. */
export function rememberedPort(folder: string): number | undefined {
  const file = join(folder, 'port');
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
}

export function rememberPort({ folder }: MariadbHome, port: number): void {
  writePrivately(join(folder, 'port'), String(port), undefined);
}

/** The files belong to whom they were made for, who may be another than we would choose today. */
function accountFor(folder: string): Account | undefined {
  if (!runsAsRoot() || !isMariadbHome(folder)) return unprivilegedAccount(ACCOUNTS);
  const { uid, gid } = statSync(join(folder, 'data'));
  return { uid, gid };
}

/**
 * Keeps the home itself ours, so that nobody can put a link where we read, write or change owners as root. What the
 * server's account may have put there of that kind while it could goes.
 */
function claim(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!runsAsRoot()) return;
  chownSync(folder, 0, 0);
  chmodSync(folder, 0o711);
  for (const name of readdirSync(folder)) {
    const found = lstatSync(join(folder, name));
    if (found.isDirectory()) continue;
    const isTrap = found.isFile() ? found.nlink > 1 : found.uid !== 0;
    if (isTrap) rmSync(join(folder, name));
  }
}

function makePrivate(folder: string, account: Account | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
}

function passwordOf(folder: string): string {
  const file = join(folder, 'password');
  if (!existsSync(file)) writePrivately(file, randomBytes(24).toString('base64url'), undefined);
  return readFileSync(file, 'utf8').trim();
}

async function install({ folder, data, account }: MariadbHome, programs: MariadbPrograms): Promise<void> {
  const half = join(folder, `data.new-${randomBytes(6).toString('hex')}`);
  makePrivate(half, account);
  const options = [
    '--no-defaults',
    `--datadir=${half}`,
    '--skip-test-db',
    // An administrator without a password, to whom the first start gives one before it takes connections.
    '--auth-root-authentication-method=normal',
    '--skip-name-resolve',
    // Without asking whether the machine's own name can be looked up.
    '--force',
    `--innodb-log-file-size=${LOG_FILE_SIZE}`,
  ];
  try {
    await run(programs.install, options, {
      ...account,
      cwd: '/',
      // Each server that starts deletes what it takes for leftovers in a temporary folder that others share.
      env: { ...MARIADB_ENVIRONMENT, TMPDIR: join(folder, 'tmp') },
      timeout: INSTALL_MS,
    });
  } catch (error) {
    throw new Error(`MySQL's data folder could not be made in ${folder}: ${lastLine(error)}`);
  }
  renameSync(half, data);
}

function lastLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error ? String(error.stderr) : '';
  return said.trim().split('\n').at(-1) || error.message;
}
