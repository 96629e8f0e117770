import type { Logger } from 'pino';
import type { DeployedApp } from '../engine.ts';
import type { DiskBackup, DiskBackups } from '../runtime.ts';

/**
 * Has done with the backups that a killed server left, before anything uses the disks: what is not logged as failing is
 * settled then. Never rejects.
 */
export async function settleAllBackups(
  backups: DiskBackups,
  { live, log }: { live: readonly Pick<DeployedApp, 'deploymentId'>[]; log: Logger },
): Promise<void> {
  const ids = new Set(live.map(({ deploymentId }) => deploymentId));
  try {
    for (const backup of await backups.list()) {
      await settleBackup(backups, backup, ids.has(backup.deploymentId)).catch((error) =>
        log.error({ err: error, ...backup }, 'the disk data could not be put back'),
      );
    }
  } catch (error) {
    log.error({ err: error }, 'backups of disks could not be listed');
  }
}

/** What a live deployment wrote stays; of any other, the disk is as it was before. */
export async function settleBackup(backups: DiskBackups, backup: DiskBackup, isLive: boolean): Promise<void> {
  await (isLive ? backups.drop(backup) : backups.restore(backup));
}
