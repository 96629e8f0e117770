import type { Account } from '@nephos/db';
import type { DeploymentJob, LogWriter } from '../engine.ts';
import type { ReleaseFolders } from '../folders.ts';
import type { Run } from './runs.ts';

/** A deployment's job, and what every part of its build works with. */
export interface BuildOptions {
  job: DeploymentJob;
  folders: ReleaseFolders;
  /** Whom the project's files belong to. */
  account: Account | undefined;
  log: LogWriter;
  signal: AbortSignal;
}

/** What the parts of a build work with that run the project's code. */
export interface RunningBuild extends BuildOptions {
  run: Run;
}
