import type { BuildOptions } from '../runtime.ts';
import type { Run } from './runs.ts';

/** What the parts of a build work with that run the project's code. */
export interface RunningBuild extends BuildOptions {
  run: Run;
}
