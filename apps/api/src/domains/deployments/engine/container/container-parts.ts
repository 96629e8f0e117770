import type { Settings } from '../../../../core/settings.ts';
import type { Resolve } from '../../../../platform/public-address.ts';
import type { AppFigures } from '../../../observability/app-figures.ts';
import type { FindImage } from '../engine.ts';
import type { Limits } from '../limits.ts';
import type { Daemon } from './daemon.ts';
import type { ProjectNetworks } from './project-networks.ts';
import type { ReadMarks } from './read-marks.ts';

/** What containers of projects are started with. */
export interface ContainerParts {
  settings: Settings;
  limits: Limits;
  figures: AppFigures;
  daemon: Daemon;
  /** Names this installation. */
  instance: string;
  networks: ProjectNetworks;
  marks: ReadMarks;
  /** Finds the addresses of registries' hosts. */
  resolve: Resolve;
  imageOf: FindImage;
  /** Resolves when what an earlier server left is gone; rejects where the daemon goes away before. */
  met(): Promise<void>;
  /** Resolves when the disks are as they should be after what a killed server left, as far as that could be. */
  settled(): Promise<void>;
  /** Holds a folder per project. */
  root: string;
}
