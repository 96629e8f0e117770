import type { Logger } from 'pino';
import type { Settings } from '../../../env.ts';
import type { Limits } from './limits.ts';
import type { Runs } from './process/runs.ts';
import type { Toolchain } from './process/toolchain.ts';
import type { LiveDeployments } from './seams.ts';
import type { AppRoutes } from './serve/app-routes.ts';
import type { Egress } from './serve/egress.ts';
import type { LiveApp } from './serve/live-app.ts';
import type { Resolve } from './source/repository-address.ts';

/** What every part of the engine works with. */
export interface EngineDeps {
  settings: Settings;
  log: Logger;
  live: LiveDeployments;
  limits: Limits;
  toolchain: Toolchain;
  /** Names this installation: which accounts its projects have, and in the environment of its processes. */
  instance: string;
  runs: Runs;
  /** Holds a folder per project. */
  root: string;
  routes: AppRoutes;
  egress: Egress;
  resolve: Resolve;
  /** Drains and ends an app that gets no more requests, without waiting for it; then calls `after`. */
  retire(app: LiveApp | undefined, after: () => Promise<void>): void;
}
