import type { DeploymentStatus } from './deployments.ts';

/** What a project's app does, as its owner and its visitors are told. `none`: nothing was deployed yet. */
export const APP_STATES = [
  'running',
  'queued',
  'building',
  'deploying',
  'failed',
  'stopped',
  'none',
] as const;
export type AppState = (typeof APP_STATES)[number];

/**
 * The state of an app: running while a deployment of it is live, else what became of the newest deployment that was
 * not cancelled; null where there is none.
 */
export function appStateOf(isLive: boolean, newest: Exclude<DeploymentStatus, 'cancelled'> | null): AppState {
  return isLive ? 'running' : (newest ?? 'none');
}

/** Environment variables of one project. */
export const MAX_VARIABLES = 100;
/** UTF-16 units of a variable's value. */
export const MAX_VALUE_LENGTH = 16_384;
const MAX_NAME_LENGTH = 100;

/** What is wrong with the name of an environment variable (POSIX 1003.1, section 8.1), as a sentence. */
export function faultOfVariableName(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return `Names can be up to ${MAX_NAME_LENGTH} characters long.`;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return "Use letters, digits and underscores only, and don't start with a digit.";
  }
  if (name === 'PORT') return 'PORT is set by the platform.';
  return undefined;
}

/** What is wrong with the value of an environment variable, as a sentence. */
export function faultOfVariableValue(value: string): string | undefined {
  if (value.length > MAX_VALUE_LENGTH) return `Values can be up to ${MAX_VALUE_LENGTH} characters long.`;
  return value.includes('\0') ? "Values can't contain the NUL character." : undefined;
}
