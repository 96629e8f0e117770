import { availableParallelism } from 'node:os';
import type { Settings } from '../../../core/settings.ts';

const MINUTE = 60_000;
const MB = 1024 ** 2;
const GB = 1024 ** 3;

/** Durations are milliseconds, sizes bytes. */
export const LIMITS = {
  cloneTime: MINUTE,
  cloneBytes: 500 * MB,
  /** What one push brings, and what a project's own repository has altogether. */
  pushBytes: 500 * MB,
  repositoryBytes: 2 * GB,
  /** Until git has taken a push in, or given a clone out. */
  pushTime: 10 * MINUTE,
  /** Install and build together. */
  buildTime: 15 * MINUTE,
  buildMemory: 2 * GB,
  /** A release while it is built, any single file of a build, and the files of a site. */
  buildBytes: 3 * GB,
  /** What a project's builds keep for the next one; during a build that may be as much beside the release. */
  cacheBytes: GB,
  /** How long what a project is built in stays for its next build. */
  builderIdle: 5 * MINUTE,
  /** So many of them wait for a next build at a time. */
  idleBuilders: 4,
  /** Until what a project is built in answers. */
  builderStart: 30_000,
  /** Between two looks at the disk that a build in containers uses. */
  builderDiskTime: 5000,
  appMemory: GB,
  /**
   * What a running app's release and what its project's builds keep may have, and any single file that it writes outside of
   * a larger disk: more than a build may leave and the next one may add.
   */
  appBytes: 6 * GB,
  /** Between two looks at an app's disk that nothing calls for. */
  appDiskTime: 5 * MINUTE,
  /** Processes of one build or app. */
  processes: 256,
  /** Threads of all processes of one account. */
  threads: 2048,
  openFiles: 8192,
  /** Until a started app listens. */
  listenTime: MINUTE,
  /** Until a listening app answers well. */
  healthTime: MINUTE,
  healthRequestTime: 5000,
  /** How long an app that listens on another port may still come to listen on the one it was given. */
  portTime: 2000,
  /** A worker that ran so long has started. */
  workerTime: 1000,
  healthPoll: 100,
  /** For requests under way to the old version after a switch. */
  drainTime: 10_000,
  /** Between SIGTERM and SIGKILL. */
  killTime: 10_000,
  /** The same while the server itself stops. */
  stopTime: 5000,
  /** First wait before a crashed app is started again; doubles up to `restartDelayMax`. */
  restartDelay: 500,
  restartDelayMax: 8000,
  /** The longest wait before a disk that could not be mounted is tried again. */
  diskDelayMax: 5 * MINUTE,
  /** Apps that are started at the same time when the server starts. */
  startsAtOnce: 8 * availableParallelism(),
  /** So many crashes within `crashWindow` fail the deployment. */
  crashes: 5,
  crashWindow: MINUTE,
  /** Between two looks at memory, processes and, where there is a cause, the disk. */
  sampleTime: 1000,
  /** Releases of one project that stay for a rollback. */
  keptReleases: 5,
  /** Until an app's answer begins. */
  headersTime: MINUTE,
  siteFiles: 50_000,
  /** For the backups of all disks of an app, during which it does not run. */
  backupTime: 30 * MINUTE,
  /** What a backup of a disk leaves free for everything else on the machine. */
  spareBytes: 256 * MB,
};

export type Limits = typeof LIMITS;

/** The limits that the server's settings say. What runs may have more than a build leaves and the next one adds. */
export function limitsOf({ builds }: Pick<Settings, 'builds'>): Partial<Limits> {
  const buildBytes = builds.disk * MB;
  const cacheBytes = builds.cache * MB;
  return {
    buildTime: builds.minutes * MINUTE,
    buildMemory: builds.memory * MB,
    buildBytes,
    cacheBytes,
    // What is larger could not be built.
    pushBytes: Math.min(LIMITS.pushBytes, buildBytes),
    appBytes: Math.max(LIMITS.appBytes, buildBytes + 2 * cacheBytes + GB),
  };
}
