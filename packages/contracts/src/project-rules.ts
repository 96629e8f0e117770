import type { DeploymentStatus } from './deployments.ts';
import { faultOfReferences } from './references.ts';

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

/** Sources that come with the server, to start a project without a repository, by their names. */
export const TEMPLATE_NAMES = {
  'full-stack': 'Full-stack',
  'node-api': 'Node.js API',
  'python-api': 'Python API',
  'react-site': 'React site',
  'static-site': 'Static site',
  'status-page': 'Status page',
} as const;

/** What each template is written in. */
export const TEMPLATE_FRAMEWORKS = {
  'full-stack': 'nodejs',
  'node-api': 'nodejs',
  'python-api': 'python',
  'react-site': 'static',
  'static-site': 'static',
  'status-page': 'nodejs',
} as const satisfies Record<keyof typeof TEMPLATE_NAMES, string>;

/** An app of the marketplace with its version, as people read it. */
export function versionedName({ name, version }: { name: string; version: string }): string {
  return `${name} ${version}`;
}

/** Environment variables of one project, or of one group. */
export const MAX_VARIABLES = 100;
/** Groups of variables that one person can have. */
export const MAX_VARIABLE_GROUPS = 50;
/** Groups that one project can have linked. */
export const MAX_LINKED_GROUPS = 10;
/**
 * UTF-8 bytes of all variables that a project's processes are given, names and values: less than the 2 MiB that Linux
 * takes with a stack of the usual 8 MiB (execve(2)), since we add our own.
 */
export const MAX_ENVIRONMENT_BYTES = 1536 * 1024;
/** UTF-8 bytes of one of them: Linux takes strings of up to 128 KiB, `NAME=` and the NUL included. */
export const MAX_VARIABLE_BYTES = 128 * 1024 - 256;

/** The variable by which a project gets the database that it was linked with when it was made. */
export const DATABASE_VARIABLE = 'DATABASE_URL';

/** Who is given a variable: the build and the app, or one of them. */
export const VARIABLE_SCOPES = ['all', 'build', 'run'] as const;

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
  if (value.includes('\0')) return "Values can't contain the NUL character.";
  return faultOfReferences(value);
}
