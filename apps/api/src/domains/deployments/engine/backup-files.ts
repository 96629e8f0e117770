import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { open, readdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '@nephos/db';
import type { Logger } from 'pino';
import type { RunnableServe } from './detect/plan.ts';
import type { DeployedApp } from './engine.ts';
import { backupsFolder, makePassage } from './folders.ts';
import type { DiskBackup } from './runtime.ts';
import { StepFailure } from './step-failure.ts';

const run = promisify(execFile);

/** What a backup is made of, as its file's name ends: an image, a folder, or an empty file that vouches for a volume. */
export type BackupKind = '.ext4' | '.files' | '.volume';

/** The backups of the runtime of processes, and those of the runtimes of containers. */
export const BACKUP_KINDS = {
  process: ['.ext4', '.files'],
  container: ['.volume'],
} as const satisfies Record<RunnableServe['kind'], readonly BackupKind[]>;

/** The mark of what a killed server left half-made, or half-deleted. */
const HALF = '.half';

/** Whether there is a backup is whether there is this: it comes and goes at once. */
export function backupFile(
  root: string,
  { projectId, deploymentId, diskId }: DiskBackup,
  kind: BackupKind,
): string {
  return join(backupsFolder(root, projectId), deploymentId, `${diskId}${kind}`);
}

/**
 * Where something is made before it takes its place, or is deleted. It is another one each time: what a killed server
 * began may go on in its own.
 */
export function newHalfOf(file: string): string {
  return `${file}.${randomUUID()}${HALF}`;
}

/** Makes the folder that a backup lies in. Others may pass through it, but neither list nor change it. */
export async function makeBackupFolder(root: string, { projectId, deploymentId }: DiskBackup): Promise<void> {
  const folder = backupsFolder(root, projectId);
  await makePassage(folder);
  await makePassage(join(folder, deploymentId));
}

export async function findBackups(
  root: string,
  kinds: readonly BackupKind[],
  projectId?: string,
): Promise<(DiskBackup & { kind: BackupKind })[]> {
  const projectIds = projectId === undefined ? await namesIn(join(root, 'projects')) : [projectId];
  const found: (DiskBackup & { kind: BackupKind })[] = [];
  for (const id of projectIds) {
    const folder = backupsFolder(root, id);
    for (const deploymentId of await namesIn(folder)) {
      for (const name of await namesIn(join(folder, deploymentId))) {
        const kind = kinds.find((ending) => name.endsWith(ending));
        if (kind) found.push({ projectId: id, deploymentId, diskId: name.slice(0, -kind.length), kind });
      }
    }
  }
  return found;
}

/** Deletes what a killed server left half-made; what is still being written there stays until the next start. */
export async function sweepBackups(root: string, log: Logger): Promise<void> {
  for (const projectId of await namesIn(join(root, 'projects'))) {
    const folder = backupsFolder(root, projectId);
    for (const deploymentId of await namesIn(folder)) {
      await sweepFolder(join(folder, deploymentId)).catch((error) =>
        log.warn({ err: error, projectId, deploymentId }, 'half of a backup is still there'),
      );
    }
  }
}

async function sweepFolder(folder: string): Promise<void> {
  const names = await namesIn(folder);
  const halves = names.filter((name) => name.endsWith(HALF));
  for (const name of halves) await removeTree(join(folder, name));
  if (halves.length === names.length) await removeTree(folder);
}

/**
 * Refuses to start an app on a disk that is yet to be put back from the backup of another deployment. Throws
 * `StepFailure`.
 */
export async function refuseUnsettled(root: string, start: OnDisks): Promise<void> {
  const reason = await whyUnsettled(root, start);
  if (reason !== '') throw new StepFailure('start', reason);
}

interface OnDisks {
  app: Pick<DeployedApp, 'projectId' | 'deploymentId'>;
  serve: Pick<RunnableServe, 'kind'>;
}

/** Why nothing may run on an app's disks, as sentences; '' where it may. */
export async function whyUnsettled(root: string, { app, serve }: OnDisks): Promise<string> {
  for (const runtime of ['process', 'container'] as const) {
    const found = await findBackups(root, BACKUP_KINDS[runtime], app.projectId);
    if (found.every(({ deploymentId }) => deploymentId === app.deploymentId)) continue;
    return runtime === serve.kind ? NOT_PUT_BACK : OF_ANOTHER_RUNTIME[runtime];
  }
  return '';
}

/** Why an app is not started, as sentences. */
export const NOT_PUT_BACK =
  "The disk data couldn't be put back as it was before an update that failed. The backup is kept: deploy again to try once more, or ask an administrator to read the server's log.";

const ofAnother = (setting: string) =>
  `The disk data couldn't be put back as it was before an update that failed, because its backup is of another setting of DEPLOY_RUNTIME. Have an administrator set that back to ${setting}, then deploy again.`;

/** By the runtime that made the backup. */
const OF_ANOTHER_RUNTIME = { process: ofAnother('process'), container: ofAnother('docker or swarm') };

/** Has the file system keep that something in a folder was made, renamed or deleted. */
export async function syncFolderOf(file: string): Promise<void> {
  await using folder = await open(dirname(file));
  await folder.sync();
}

/** Has all that was written to a folder's file system on its disk. */
export async function syncFileSystem(folder: string): Promise<void> {
  await run('sync', ['--file-system', '--', folder], { env: { LC_ALL: 'C' } });
}

/** Removes the folders of a backup that was the last in them. */
export async function leaveFolderOf(file: string): Promise<void> {
  const folder = dirname(file);
  await rmdir(folder)
    .then(() => rmdir(dirname(folder)))
    .catch(() => {});
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
