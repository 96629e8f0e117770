import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Account, reachableFolder, removeTree, runsAsRoot, writePrivately } from '@nephos/db';
import type { InstanceSettings } from './redis-config.ts';

/** The folder of one instance, in which only `data` and `run` belong to its account. */
export interface RedisHome {
  folder: string;
  data: string;
  /** For its socket. */
  run: string;
  log: string;
  account: Account | undefined;
}

/** Beyond people and services, and below the accounts of PostgreSQL databases. */
const FIRST_ACCOUNT = 66_000;
const ACCOUNTS = 4000;

/** Of folders that are half made or half removed. */
const HALF = /^\.(new|gone)-[0-9a-f]{12}$/;

const newHalf = (root: string, kind: 'new' | 'gone') =>
  join(root, `.${kind}-${randomBytes(6).toString('hex')}`);

const settingsFile = (folder: string) => join(folder, 'settings');

/** Where the instances of a data folder live, each under the name of its database. */
export function redisFolder(dataDir: string): string {
  return reachableFolder(join(dataDir, 'managed-redis'), 'managed-redis');
}

/** Lists the instances that are there, and what a stop left half made or half removed. */
export function openHomes(root: string): { names: string[]; leftovers: string[] } {
  if (!existsSync(root)) return { names: [], leftovers: [] };
  const entries = readdirSync(root);
  return {
    names: entries.filter((name) => !name.startsWith('.')),
    leftovers: entries.filter((name) => HALF.test(name)).map((name) => join(root, name)),
  };
}

export function homeOf(root: string, name: string): RedisHome {
  const folder = join(root, name);
  return placesIn(folder, accountOf(folder));
}

function placesIn(folder: string, account: Account | undefined): RedisHome {
  const at = (name: string) => join(folder, name);
  return { folder, data: at('data'), run: at('run'), log: at('log'), account };
}

/** The files belong to whom they were made for. */
function accountOf(folder: string): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const { uid, gid } = statSync(join(folder, 'data'));
  return { uid, gid };
}

/** Makes the home of an instance that is not there yet, whole or not at all. */
export function makeHome(root: string, name: string, settings: InstanceSettings): RedisHome {
  mkdirSync(root, { recursive: true, mode: 0o711 });
  const half = newHalf(root, 'new');
  const account = runsAsRoot() ? newAccount(root) : undefined;
  mkdirSync(half);
  chmodSync(half, 0o711);
  const { data, run } = placesIn(half, account);
  for (const folder of [data, run]) {
    mkdirSync(folder, { mode: 0o700 });
    if (account) chownSync(folder, account.uid, account.gid);
  }
  keepSettings(half, settings);
  renameSync(half, join(root, name));
  return homeOf(root, name);
}

export function keepSettings(folder: string, settings: InstanceSettings): void {
  writePrivately(settingsFile(folder), JSON.stringify(settings), undefined);
}

export function readSettings(folder: string): InstanceSettings {
  // Only we can have written it.
  return JSON.parse(readFileSync(settingsFile(folder), 'utf8')) as InstanceSettings;
}

/** Removes the home of an instance that does not run. */
export async function removeHome(root: string, name: string): Promise<void> {
  if (!existsSync(join(root, name))) return;
  const gone = newHalf(root, 'gone');
  renameSync(join(root, name), gone);
  await removeTree(gone);
}

/** A number that no instance there has. Nothing else comes between this and the folder that takes it. */
function newAccount(root: string): Account {
  const used = new Set(openHomes(root).names.map((name) => statSync(join(root, name, 'data')).uid));
  if (used.size >= ACCOUNTS) throw new Error('There is no account left for another database.');
  let uid = FIRST_ACCOUNT + (randomBytes(4).readUInt32BE() % ACCOUNTS);
  while (used.has(uid)) uid = FIRST_ACCOUNT + ((uid - FIRST_ACCOUNT + 1) % ACCOUNTS);
  return { uid, gid: uid };
}
