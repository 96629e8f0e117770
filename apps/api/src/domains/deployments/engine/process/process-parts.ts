import type { Settings } from '../../../../core/env.ts';
import type { Limits } from '../limits.ts';
import type { Runs } from './runs.ts';
import type { Toolchain } from './toolchain.ts';

/** What processes of projects are started with. */
export interface ProcessParts {
  settings: Settings;
  limits: Limits;
  toolchain: Toolchain;
  /** Names this installation: which accounts its projects have, and in the environment of its processes. */
  instance: string;
  runs: Runs;
  /** Holds a folder per project. */
  root: string;
}
