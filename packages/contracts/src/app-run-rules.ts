/** Bounds and defaults of cron jobs, commands and terminals. */

/** Characters of a command. */
export const COMMAND_MAX = 1000;
export const DEFAULT_TIME_ZONE = 'UTC';
/** Seconds that a run of a job may take. */
export const DEFAULT_CRON_LIMIT = 15 * 60;
export const MAX_CRON_LIMIT = 24 * 60 * 60;
/** Seconds that a command may take. */
export const DEFAULT_COMMAND_LIMIT = 10 * 60;
export const MAX_COMMAND_LIMIT = 6 * 60 * 60;
/** Cron jobs of one project. */
export const MAX_CRON_JOBS = 50;
/** Commands that may run at once, of one project and of one account. */
export const MAX_PROJECT_COMMANDS = 3;
export const MAX_COMMANDS = 10;
/** Runs of one job, or commands of one project, that are kept, and the days that they are. */
export const KEPT_RUNS = 100;
export const KEPT_RUN_DAYS = 30;
/** Bytes of output that are kept of one run; past it a marker ends the log. */
export const MAX_RUN_LOG_BYTES = 1024 * 1024;

/** Minutes without input or output after which a terminal is closed. */
export const TERMINAL_IDLE_MINUTES = 30;
/** Terminals that one person may have open at once. */
export const MAX_TERMINALS = 5;

/** Where a WebSocket opens a terminal in an app's environment. */
export function terminalPath(projectId: string) {
  return `/api/projects/${projectId}/terminal` as const;
}
