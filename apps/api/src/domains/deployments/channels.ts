/** Channels of notifications about deployments. */

/** "<project id> <deployment id>": what a deployment shows has changed. Sent by a trigger, see migration 0003. */
export const DEPLOYMENT_CHANGED = 'deployment_changed';
/** Deployment id: its log has grown. */
export const DEPLOYMENT_LOG = 'deployment_log';
/** Deployment or project id: whoever runs such a deployment is to give up. */
export const DEPLOYMENT_CANCEL = 'deployment_cancel';
