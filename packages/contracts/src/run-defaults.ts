/** Bounds and defaults of how an app is run. */

/** Of one process. */
export const MAX_INSTANCES = 10;
/** Of one app, of which settings say something: `web` and workers. */
export const MAX_PROCESSES = 10;
/** Of one project. */
export const MAX_DISKS = 5;
export const DEFAULT_DISK_PATH = '/data';
/** MB of one disk. */
export const MIN_DISK_SIZE = 64;
export const DEFAULT_DISK_SIZE = 1024;
export const MAX_DISK_SIZE = 1024 ** 2;
/** MB. */
export const DEFAULT_MEMORY = 1024;
export const MAX_MEMORY = 16_384;
/** Seconds. */
export const DEFAULT_HEALTH_TIMEOUT = 60;
export const DEFAULT_STOP_TIMEOUT = 10;
/** Of one instance. */
export const DEFAULT_TASKS = 256;
/** MB. */
export const DEFAULT_LOG_SIZE = 50;
/** Days. */
export const DEFAULT_LOG_AGE = 14;

/** Of one project. */
export const MAX_CUSTOM_DOMAINS = 20;
/** First label of the TXT record that proves whose a domain is. */
export const DOMAIN_PROOF_LABEL = '_nephos';

/** Of one project. */
export const MAX_BUILD_ARGS = 50;

/** Who says how an image is built: a Dockerfile where there is one, always a Dockerfile, or the framework. */
export const BUILDERS = ['auto', 'dockerfile', 'framework'] as const;
export type Builder = (typeof BUILDERS)[number];

/** Everything detected, or as the platform does it by itself. */
export const DETECTED_SETTINGS = {
  rootDirectory: '',
  builder: 'auto' as Builder,
  dockerfile: '',
  dockerTarget: '',
  buildArgs: [],
  installCommand: '',
  buildCommand: '',
  startCommand: '',
  releaseCommand: '',
  outputDirectory: '',
  nodeVersion: '',
  port: null,
  healthTimeout: null,
  stopTimeout: null,
  processes: [],
  logSize: null,
  logAge: null,
};
