import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from './embedded-binaries.ts';
import { launchPostgres } from './embedded-server.ts';
import { syncFolder } from './exchanged-clusters.ts';
import { holdFolder } from './held-folder.ts';
import {
  homeOf,
  makeTemplate,
  newAccount,
  newHalf,
  PARAMETERS,
  passwordIn,
  releaseAccount,
  SOCKET,
  syncData,
} from './private-cluster.ts';
import { removeTree } from './remove-tree.ts';
import { type Account, runsAsRoot } from './unprivileged-account.ts';

const run = promisify(execFile);

/** How to make a cluster of what was kept of another one. */
export interface Recovery {
  /** The names of the clusters there. */
  taken(): readonly string[];
  /** Puts a base backup, and in `pg_wal` all that follows it, into a folder that nobody else can enter. */
  fill(data: string): Promise<void>;
  /** The moment up to which the log is followed; undefined: to its end. */
  until: Date | undefined;
  /**
   * Waits for its recovery, ends it, and makes of it what it is to be. Resolves to false where the log ended before its
   * `until`: PostgreSQL ends such a recovery only when it is not asked for a moment any more.
   */
  settle(at: { socketFolder: string; password: string; until: Date | undefined }): Promise<boolean>;
  signal: AbortSignal;
}

/**
 * As it recovers. It asks nobody for more of its log, and waits where that ends. What it has room for must not be less
 * than where it comes from; what is on the disk counts only once all of it is.
 */
const WHILE_RECOVERING = {
  ...PARAMETERS,
  archive_mode: 'off',
  max_connections: 500,
  max_worker_processes: 64,
  max_locks_per_transaction: 256,
  max_wal_size: '4GB',
  shared_buffers: '128MB',
  autovacuum: 'off',
  // Files of its log go once they are not needed: they may hold what it is not to have.
  wal_recycle: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  // A database that was full when it was backed up is read-only by its own settings: its name could not be changed.
  default_transaction_read_only: 'off',
};

/** Makes a cluster, whole or not at all, and leaves it stopped. Throws where one of that name is there. */
export async function recoverCluster(root: string, name: string, recovery: Recovery): Promise<void> {
  const home = homeOf(root, name);
  if (existsSync(home)) throw new Error(`There is a cluster ${name} already.`);
  // Its administrator's password is that of all.
  await makeTemplate(root);
  const half = newHalf(root, 'new');
  let account: Account | undefined;
  try {
    mkdirSync(half, { mode: 0o700 });
    const [data, sockets] = [join(half, 'data'), join(half, 'run')];
    mkdirSync(data, { mode: 0o700 });
    mkdirSync(sockets, { mode: 0o700 });
    await recovery.fill(data);
    writeFileSync(join(data, 'standby.signal'), '');
    account = runsAsRoot() ? newAccount(root, recovery.taken()) : undefined;
    // Nobody else could change what is in there yet.
    if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, data, sockets], { env: {} });
    chmodSync(half, 0o711);
    await recover(root, { half, data, account }, recovery);
    await syncData(data);
    recovery.signal.throwIfAborted();
    renameSync(half, home);
    try {
      syncFolder(root);
    } catch (error) {
      // Who is told that it failed must not find it there later.
      renameSync(home, half);
      throw error;
    }
  } catch (error) {
    await removeTree(half);
    throw error;
  } finally {
    if (account) releaseAccount(account);
  }
}

interface Half {
  half: string;
  data: string;
  account: Account | undefined;
}

async function recover(root: string, half: Half, recovery: Recovery): Promise<void> {
  const { until } = recovery;
  if (until && (await recoverUntil(root, half, recovery, until))) return;
  await recoverUntil(root, half, recovery, undefined);
}

async function recoverUntil(
  root: string,
  { half, data, account }: Half,
  { settle, signal }: Recovery,
  until: Date | undefined,
): Promise<boolean> {
  const target = until && {
    recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00'),
  };
  const server = await launchPostgres({
    ...{
      binaries: findBinaries(),
      folder: data,
      account,
      logFile: join(half, 'log'),
      signal,
      asStandby: true,
    },
    parameters: { ...WHILE_RECOVERING, ...target },
  });
  try {
    await using sockets = await holdFolder(join(half, 'run'), account);
    const socketFolder = sockets.at(SOCKET).slice(0, -SOCKET.length - 1);
    return await Promise.race([
      settle({ socketFolder, password: passwordIn(root), until }),
      server.exited.then(() => {
        throw new Error('PostgreSQL ended while it recovered.');
      }),
    ]);
  } finally {
    await server.stop();
  }
}
