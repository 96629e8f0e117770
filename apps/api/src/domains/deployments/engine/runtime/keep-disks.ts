import { byteSize } from '../../../../platform/byte-size.ts';
import { duration } from '../../../../platform/duration.ts';
import { NOT_PUT_BACK } from '../backup-files.ts';
import { aborted } from '../instances/exit.ts';
import type { BuildOptions, DiskBackup } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import type { EngineParts } from './roll-out.ts';
import { settleBackup } from './settle-backups.ts';

/**
 * Starts a new version on the project's disks, which nothing runs on: where the job says so, on copied ones, which are
 * as they were before where the work fails. Throws what the work throws, or `StepFailure`.
 */
export async function keepDisks(
  parts: EngineParts,
  run: BuildOptions,
  work: () => Promise<void>,
): Promise<void> {
  const { job } = run;
  if (job.disks.length > 0) await untilEnded(parts, run);
  const saves = job.savesDisks && job.disks.length > 0;
  const isUnsettled = (await parts.runtime.backups.list(job.projectId)).length > 0;
  // What was begun beside the app may still write.
  using _held = saves || isUnsettled ? await parts.holdCommands(job.projectId) : undefined;
  await settle(parts, run);
  if (!saves) return await work();
  await job.onProgress({ status: 'deploying', step: 'start' });
  try {
    await save(parts, run);
    await work();
  } catch (error) {
    await putBack(parts, run);
    throw error;
  }
  for (const backup of backupsOf(run)) {
    await parts.runtime.backups
      .drop(backup)
      .catch((error) => parts.log.error({ err: error, ...backup }, 'a backup of a disk is still there'));
  }
}

/** What was stopped or has crashed is off the routes, and writes to the disks until it has ended. */
async function untilEnded({ retirements }: EngineParts, { job, log, signal }: BuildOptions): Promise<void> {
  const isEnding = retirements.apps().some(({ projectId }) => projectId === job.projectId);
  if (isEnding) log.system('Waiting for the version before to end.');
  await Promise.race([retirements.ofProject(job.projectId), aborted(signal)]);
}

/** Has done with what an earlier deployment could not put back. */
async function settle({ runtime, routes, log }: EngineParts, { job }: BuildOptions): Promise<void> {
  const liveId = routes.byProject(job.projectId)?.deploymentId;
  for (const backup of await runtime.backups.list(job.projectId)) {
    await settleBackup(runtime.backups, backup, backup.deploymentId === liveId).catch((error) => {
      log.error({ err: error, ...backup }, 'the disk data could not be put back');
      throw new StepFailure('start', NOT_PUT_BACK);
    });
  }
}

async function save({ runtime, limits }: EngineParts, run: BuildOptions): Promise<void> {
  const { job, account, log, signal } = run;
  const uses = await Promise.all(job.disks.map(({ id }) => runtime.disks.diskUse(job.projectId, id)));
  const bytes = uses.reduce((sum, use) => sum + (use?.bytes ?? 0), 0);
  log.system(`Backing up the disk data${bytes > 0 ? ` (${byteSize(bytes)})` : ''}.`);
  // The job would begin anew when its own time is over.
  const timeout = AbortSignal.timeout(limits.backupTime);
  const cut = AbortSignal.any([signal, timeout]);
  try {
    for (const backup of backupsOf(run)) {
      cut.throwIfAborted();
      await runtime.backups.save(backup, { account, signal: cut });
    }
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new StepFailure(
      'start',
      `Start failed: backing up the disk data took more than ${duration(limits.backupTime)}. Delete what the app no longer needs, then deploy again.`,
    );
  }
}

async function putBack({ runtime, log: faults }: EngineParts, { job, log }: BuildOptions): Promise<void> {
  try {
    const backups = (await runtime.backups.list(job.projectId)).filter(
      ({ deploymentId }) => deploymentId === job.deploymentId,
    );
    for (const backup of backups) await runtime.backups.restore(backup);
    if (backups.length > 0) log.system('The disk data is as it was before.');
  } catch (error) {
    faults.error({ err: error, deploymentId: job.deploymentId }, 'the disk data could not be put back');
    log.system(NOT_PUT_BACK);
  }
}

function backupsOf({ job: { projectId, deploymentId, disks } }: BuildOptions): DiskBackup[] {
  return disks.map(({ id }) => ({ projectId, diskId: id, deploymentId }));
}
