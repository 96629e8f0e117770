import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '@nephos/db';
import { isProjectAccount } from './account.ts';

/** Group numbers that nobody assigns (systemd's UIDS-GIDS); in a container with fewer numbers, those of the accounts. */
const RANGES = [
  [0x7000_0000, 0x7fff_ffff],
  [20_000, 59_999],
] as const;

/**
 * Group numbers, each of one run at a time. They are written down in `folder` while they are in use, so that what a
 * killed server left running is found by what we know, not by what a process says of itself.
 */
export interface RunGroups {
  /** The project's account with a group of its own, which its processes can neither leave nor take. */
  reserve(account: Account): Promise<Account>;
  free(account: Account): Promise<void>;
  inUse(): Promise<Account[]>;
}

export function createRunGroups(folder: string): RunGroups {
  const range = RANGES.find(([first, last]) => isMapped(first) && isMapped(last)) ?? RANGES[1];
  return {
    async reserve({ uid }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (;;) {
        const account = { uid, gid: randomInt(range[0], range[1] + 1) };
        try {
          await writeFile(fileOf(folder, account), '', { flag: 'wx', mode: 0o600 });
          return account;
        } catch (error) {
          if (!isTaken(error)) throw error;
        }
      }
    },
    free: (account) => rm(fileOf(folder, account), { force: true }),
    async inUse() {
      const names = await readdir(folder).catch(() => []);
      return names
        .map((name) => /^(\d+)-(\d+)$/.exec(name)?.slice(1).map(Number) ?? [])
        .map(([uid = 0, gid = 0]) => ({ uid, gid }))
        .filter(({ uid, gid }) => isProjectAccount(uid) && gid >= RANGES[1][0]);
    },
  };
}

function fileOf(folder: string, { uid, gid }: Account): string {
  return join(folder, `${uid}-${gid}`);
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

/** Whether a group number means anything to our kernel: in a user namespace only some do (user_namespaces(7)). */
function isMapped(gid: number): boolean {
  try {
    return readFileSync('/proc/self/gid_map', 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .some(([first = 0, , count = 0]) => gid >= first && gid < first + count);
  } catch {
    return false;
  }
}
