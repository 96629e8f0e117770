import type { ReleaseFolders } from '../folders.ts';
import type { Account } from '../process/account.ts';
import type { Run } from '../process/runs.ts';
import type { DeploymentJob, LogWriter } from '../seams.ts';

/** A deployment's job, and what every part of its build works with. */
export interface BuildOptions {
  job: DeploymentJob;
  folders: ReleaseFolders;
  /** Whom the project's files belong to. */
  account: Account | undefined;
  log: LogWriter;
  signal: AbortSignal;
}

/** For the parts that run the project's code. */
export interface RunningBuild extends BuildOptions {
  run: Run;
}
