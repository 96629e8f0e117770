import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { holdFolder, isServerIn } from '@nephos/db';
import {
  accountOf,
  addressOfRunning,
  clustersFolder,
  isCluster,
  passwordIn,
  placeOf,
  SOCKET,
} from '@nephos/db/embedded';
import { extract } from 'tar-stream';
import { beginBaseBackup } from '../../domains/databases/engines/postgres/clusters/base-backup.ts';
import type { Copying, PartCopy } from './copying.ts';
import { patiently } from './patiently.ts';
import { copyOneFile, copyTree } from './tree.ts';

export const DATABASES_PART = 'databases';
export const SHARED_PART = 'managed-pg';

/** What a stopped server leaves that no other has use for. */
const LEFTOVERS = ['postmaster.pid', 'postmaster.opts'];

/**
 * Takes the servers of people's PostgreSQL databases. Of one that runs, a base backup with its log; one that sleeps lies
 * still, and is taken as it lies.
 */
export async function copyPostgresServers(copying: Copying, dataDir: string): Promise<void> {
  const root = clustersFolder(join(dataDir, 'databases'));
  if (existsSync(root)) {
    await copying.part(DATABASES_PART, async (part) => {
      const { uid, gid, mode } = statSync(root);
      await part.note({ kind: 'folder', path: '', mode: mode & 0o777, uid, gid });
      for (const file of ['password', 'home']) await copyOneFile(part, join(root, file), file);
      const isOne = (name: string) => !name.startsWith('.') && name !== 'template';
      for (const name of readdirSync(root).filter(isOne).sort()) {
        const isThere = () => existsSync(join(root, name, 'data', 'PG_VERSION'));
        await patiently(copying, part, {
          ...{ what: `The PostgreSQL database ${name}`, isThere },
          copy: () => copyOwnServer(part, root, name),
        });
      }
    });
  }
  const shared = placeOf(join(dataDir, 'managed-pg'));
  if (!isCluster(shared)) return;
  await copying.part(SHARED_PART, async (part) => {
    await copyOneFile(part, `${shared}.password`, 'password');
    await patiently(copying, part, {
      ...{ what: 'The server that PostgreSQL databases share', isThere: () => isCluster(shared) },
      async copy() {
        const address = () => addressOfRunning(join(dataDir, 'managed-pg'));
        if ((await address()) === undefined && (await copyAtRest(part, shared, 'data'))) return;
        const running = await address();
        if (running === undefined) throw new Error('It stopped meanwhile.');
        const { uid, gid } = statSync(shared);
        await copyRunning(part, running, { at: 'data', owner: { uid, gid } });
      },
    });
  });
}

async function copyOwnServer(part: PartCopy, root: string, name: string): Promise<void> {
  const home = join(root, name);
  const at = `${name}/data`;
  await copyTree(part, home, { at: name, skips: (path) => path === at });
  const data = join(home, 'data');
  if (!isServerIn(data, 'postgres') && (await copyAtRest(part, data, at))) return;
  await using sockets = await holdFolder(join(home, 'run'), accountOf(home));
  const socketFolder = sockets.at(SOCKET).slice(0, -SOCKET.length - 1);
  const user = `postgres:${encodeURIComponent(passwordIn(root))}`;
  const { uid, gid } = statSync(data);
  await copyRunning(part, `postgres://${user}@${encodeURIComponent(socketFolder)}/postgres`, {
    ...{ at, owner: { uid, gid } },
  });
}

/** Whether nothing ran there meanwhile; else what was taken is no state of it, and is taken back. */
async function copyAtRest(part: PartCopy, data: string, at: string): Promise<boolean> {
  const state = () => statSync(join(data, 'global', 'pg_control')).mtimeMs;
  const before = state();
  const attempt = part.attempt();
  try {
    await copyTree(part, data, { at, skips: (path) => LEFTOVERS.some((name) => path === `${at}/${name}`) });
    if (state() === before && !isServerIn(data, 'postgres')) return true;
    await attempt.undo();
    return false;
  } finally {
    attempt.end();
  }
}

async function copyRunning(
  part: PartCopy,
  address: string,
  { at, owner }: { at: string; owner: { uid: number; gid: number } },
): Promise<void> {
  // The archive names what is in the folder, not the folder.
  await part.note({ kind: 'folder', path: at, mode: 0o700, ...owner });
  const backup = await beginBaseBackup(address, { withLog: true });
  const entries = extract();
  const copied = (async () => {
    for await (const entry of entries) {
      const { name, type, mode, mtime } = entry.header;
      const path = normalize(`${at}/${name}`).replace(/\/$/, '');
      if (type === 'directory') {
        await part.note({ kind: 'folder', path, mode: 0o700, ...owner });
        entry.resume();
      } else if (type === 'file') {
        const times = { mtime: mtime?.getTime() ?? 0, ctime: 0, inode: 0 };
        const file = {
          kind: 'file' as const,
          path,
          mode: mode ?? 0o600,
          ...owner,
          ...times,
          size: 0,
          at: [],
        };
        // The typings do not say that it is a stream of Node's kind.
        await part.add(file, entry as unknown as AsyncIterable<Uint8Array>);
      } else throw new Error(`There is a ${type} in a backup of a database server.`);
    }
  })();
  try {
    await Promise.all([pipeline(backup.archive, entries), copied]);
  } finally {
    backup.archive.destroy();
  }
}
