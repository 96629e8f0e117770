import type { ReleaseFolders } from '../folders.ts';
import type { Account } from '../process/account.ts';
import type { DeploymentJob, LogWriter } from '../seams.ts';

/** One run of a job, and what every part of its build works with. */
export interface BuildOptions {
  job: DeploymentJob;
  folders: ReleaseFolders;
  account: Account | undefined;
  log: LogWriter;
  signal: AbortSignal;
}
