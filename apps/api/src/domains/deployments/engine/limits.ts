const MINUTE = 60_000;
const MB = 1024 ** 2;
const GB = 1024 ** 3;

/** Durations are milliseconds, sizes bytes. */
export const LIMITS = {
  cloneTime: MINUTE,
  cloneBytes: 500 * MB,
  /** Install and build together. */
  buildTime: 15 * MINUTE,
  buildMemory: 2 * GB,
  /** Release and package cache together, any single file of a build, and the files of a site. */
  buildBytes: 2 * GB,
  /** A package cache larger than this is deleted after the build. */
  cacheBytes: 512 * MB,
  appMemory: GB,
  /**
   * What a running app's release and its project's package cache may have, and any single file that it writes: more than
   * a build may leave and the next one may add to the cache.
   */
  appBytes: 4 * GB,
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
};

export type Limits = typeof LIMITS;
