import type { Programs } from '../detect/detect-static.ts';
import { CannotRun, type Plan } from '../detect/plan.ts';
import { type Snapshot, takeSnapshot } from '../detect/snapshot.ts';
import type { BuildOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';

/** What the project's folder shows of itself. Throws `StepFailure` where there is no such folder. */
export async function lookAtFolder({ job, folders, account }: BuildOptions): Promise<Snapshot> {
  const { rootDirectory } = job.settings;
  const snapshot = await takeSnapshot(folders.app, rootDirectory, account);
  if (!snapshot) {
    const { adviseFolder } = await import('../detect/advise.ts');
    const known = await adviseFolder({ root: folders.app, account });
    throw new StepFailure('detect', `The repository has no folder ${rootDirectory}. ${known}`);
  }
  return snapshot;
}

/** What to do with it as the project's framework. Throws `StepFailure` with advice where that cannot be. */
export async function planBuild(
  { job, folders, account }: BuildOptions,
  snapshot: Snapshot,
  programs: Programs,
): Promise<Plan> {
  const { detect } = await import('../detect/detect.ts');
  try {
    return detect(job.framework, snapshot, job.settings, programs);
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    const advice = error.lacks ? ` ${await adviseOn({ job, folders, account }, snapshot, programs)}` : '';
    throw new StepFailure('detect', `${error.message}${advice}`);
  }
}

async function adviseOn(
  { job, folders, account }: Pick<BuildOptions, 'job' | 'folders' | 'account'>,
  snapshot: Snapshot,
  { containers }: Programs,
): Promise<string> {
  const { advise } = await import('../detect/advise.ts');
  return advise(job.framework, snapshot, { root: folders.app, account, containers });
}
