import type { BuildParts } from '../../source/clone.ts';
import type { Builders } from '../builders/builders.ts';
import type { Daemon } from '../daemon.ts';

/** What images are built with. */
export interface ImageBuildParts extends BuildParts {
  daemon: Daemon;
  builders: Builders;
}
