/** Channels of notifications about runs. */

/** "<project id> <run id> <status>": a run began, ended or was deleted. Sent by a trigger, see migration 0037. */
export const APP_RUN_CHANGED = 'app_run_changed';
/** Run id: its log has grown. */
export const APP_RUN_LOG = 'app_run_log';
/** Run id: whoever runs it is to end it. */
export const APP_RUN_CANCEL = 'app_run_cancel';
