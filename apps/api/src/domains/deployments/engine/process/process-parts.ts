import type { Settings } from '../../../../core/settings.ts';
import type { AppFigures } from '../../../observability/app-figures.ts';
import type { Limits } from '../limits.ts';
import type { DiskStore } from './disk-store.ts';
import type { Runs } from './runs.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Toolchain } from './toolchain.ts';

/** What processes of projects are started with. */
export interface ProcessParts {
  settings: Settings;
  limits: Limits;
  toolchain: Toolchain;
  sandbox: Sandbox;
  /** Names this installation: which accounts its projects have, and in the environment of its processes. */
  instance: string;
  runs: Runs;
  disks: DiskStore;
  /** Counts what they use. */
  figures: AppFigures;
  /** Holds a folder per project. */
  root: string;
}
