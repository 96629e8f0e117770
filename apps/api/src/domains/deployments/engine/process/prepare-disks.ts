import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Account } from '@nephos/db';
import { holdBelow } from '../detect/snapshot.ts';
import type { AppDisk, DeployedApp, LogWriter } from '../engine.ts';
import type { ReleaseFolders } from '../folders.ts';
import { EndedEarly } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import { largestFile, pathInApp } from './disks.ts';
import { Breach } from './guard.ts';
import type { ProcessParts } from './process-parts.ts';
import { runCommand } from './run-command.ts';

const MB = 1024 ** 2;

export interface DiskPreparation {
  app: DeployedApp;
  folders: ReleaseFolders;
  account: Account | undefined;
  log: LogWriter;
}

/**
 * Makes an app's disks where there are none yet, and links those in its folder that belong below it. What the release has
 * at such a path is copied to a disk that is empty, and is out of sight otherwise.
 */
export async function prepareDisks(parts: ProcessParts, preparation: DiskPreparation): Promise<void> {
  for (const disk of preparation.app.disks) {
    const folder = await open(parts, preparation, disk);
    const path = pathInApp(disk);
    if (path !== undefined) await link(parts, preparation, { folder, path });
  }
}

async function open(
  { disks }: ProcessParts,
  { app, account }: DiskPreparation,
  disk: AppDisk,
): Promise<string> {
  try {
    return await disks.open(app.projectId, disk, account);
  } catch (error) {
    // What programs and the system say names folders of the server.
    const cause = (error instanceof Error ? error.message : String(error)).replace(/\/\S+\//g, '');
    const how = `waits for the disk "${disk.name}", which could not be mounted (${cause.replace(/\.$/, '')})`;
    const message = `Start failed: the disk "${disk.name}" could not be mounted. ${cause}`;
    throw new EndedEarly(message, { how, exit: null, awaitsDisk: true });
  }
}

async function link(
  parts: ProcessParts,
  preparation: DiskPreparation,
  { folder, path }: { folder: string; path: string },
): Promise<void> {
  const { folders, account, log } = preparation;
  const place = join(folders.app, path);
  await using found = await holdBelow(folders.app, path, account);
  const isEmpty = (await readdir(folder)).length === 0;
  const commands = [
    ...(found && isEmpty ? [['cp', '-a', '--', `${place}/.`, folder]] : []),
    ...(found ? [['rm', '-rf', '--', place]] : []),
    ['mkdir', '-p', '--', dirname(place)],
    // A link that is there is replaced at once: the app may be running from this folder.
    ['ln', '-sfnT', '--', folder, place],
  ];
  try {
    if (await runAll(parts, preparation, { folder, commands })) return;
  } catch (error) {
    if (!(error instanceof Breach)) throw error;
    log.system(`Linking the disk at ${path} was stopped because ${error.message}.`);
  }
  throw new StepFailure(
    'start',
    `Start failed: the disk at ${path} could not be linked into the app. See the log for details.`,
  );
}

/** Runs commands as the project's own account, which may put links of its own in the way, until one fails. */
async function runAll(
  parts: ProcessParts,
  { app, folders, account, log }: DiskPreparation,
  { folder, commands }: { folder: string; commands: readonly string[][] },
): Promise<boolean> {
  const { appMemory, processes } = parts.limits;
  await using run = await parts.runs.open(account, {
    folders,
    mounts: [{ folder }],
    limits: { memory: appMemory / MB, cpu: null, tasks: processes },
  });
  const env = { PATH: parts.toolchain.path, LC_ALL: 'C' };
  const maxFileBytes = largestFile(parts, app);
  for (const argv of commands) {
    const command = { argv, folder: folders.app, env, run, maxFileBytes };
    const { code } = await runCommand(parts, command, { log, signal: new AbortController().signal });
    if (code !== 0) return false;
  }
  return true;
}
