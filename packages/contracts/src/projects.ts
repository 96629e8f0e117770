import { z } from 'zod';
import {
  APP_STATES,
  DEFAULT_BRANCH,
  DEFAULT_FRAMEWORK,
  FRAMEWORKS,
  PROJECT_SORTS,
  projectDockerfilePath,
  TEMPLATE_NAMES,
} from './constants.ts';
import { ImageOrNone } from './containers.ts';
import { DeploymentSummary } from './deployments.ts';
import { DeleteRecords } from './dns-records.ts';
import { bytes, mutation, query } from './kit.ts';
import { ById, Id, listPage, Success } from './page.ts';
import { Detected, RunSettings } from './run-settings.ts';
import { readSshAddress } from './ssh-address.ts';
import { line, paragraph } from './text.ts';
import {
  NewVariable,
  NewVariables,
  VARIABLES_BODY_LIMIT,
  Variable,
  VariableList,
  VariableOf,
  VariableScopeChange,
} from './variables.ts';

export const Framework = z.enum(FRAMEWORKS, `Framework must be one of ${FRAMEWORKS.join(', ')}.`);
export type Framework = z.output<typeof Framework>;

/** One of the sources that come with the server. */
export const ProjectTemplate = z.enum(Object.keys(TEMPLATE_NAMES) as (keyof typeof TEMPLATE_NAMES)[]);
export type ProjectTemplate = z.output<typeof ProjectTemplate>;

const NO_SUCH_PARTS = /^-|^HEAD$|^[./]|[./]$|\.\.|\/\/|\.lock$/;

const CHARACTERS = 'Branch names can contain letters, digits, and . _ / - only.';
const NOT_GITS = "Git doesn't accept this branch name.";

/** A branch's name: a safe subset of git's own grammar (git-check-ref-format). */
export const Branch = z
  .string()
  .regex(/^[A-Za-z0-9._/-]{1,200}$/, CHARACTERS)
  .refine((name) => !NO_SUCH_PARTS.test(name), NOT_GITS);

/** The same, or '' for the repository's default branch. */
const BranchOrDefault = z
  .string()
  .regex(/^[A-Za-z0-9._/-]{0,200}$/, CHARACTERS)
  .refine((name) => !NO_SUCH_PARTS.test(name), NOT_GITS);

/** Path characters of a repository's address: those that no program on the way reads as anything else. */
const REPOSITORY_PATH = /^\/[A-Za-z0-9._~/@+-]*$/;

function isRepositoryUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (
    ['https:', 'http:', 'file:'].includes(url.protocol) &&
    !url.username &&
    !url.password &&
    !/[?#\\\s]/.test(value) &&
    REPOSITORY_PATH.test(url.pathname)
  );
}

/**
 * A Git address, or '' for a project without one. Only the form is checked here; whether http, file and private
 * addresses are admitted is the server's setting.
 */
export const RepositoryUrl = z
  .string()
  .overwrite((value) => value.trim())
  .max(2048, 'URLs can be up to 2048 characters long.')
  .refine(
    (value) => value === '' || isRepositoryUrl(value),
    'Enter an HTTPS repository URL, like https://github.com/you/app.git.',
  );

/** The same, or one that is reached by SSH with the project's deploy key. */
const ProjectRepositoryUrl = z
  .string()
  .overwrite((value) => value.trim())
  .max(2048, 'URLs can be up to 2048 characters long.')
  .refine(
    (value) => value === '' || isRepositoryUrl(value) || readSshAddress(value) !== undefined,
    'Enter a repository URL, like https://github.com/you/app.git or git@github.com:you/app.git.',
  );

/** Path that must answer below 500 and not 404 before a new version takes over; '' is `/`, which may also answer 404. */
export const HealthPath = z
  .string()
  .max(200)
  .regex(/^(\/(?!\/)[A-Za-z0-9._~/%-]*)?$/, 'Enter a path like /healthz, without a query string.');

export const Project = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  repositoryUrl: z.string(),
  /** Whether the repository's host is given a token, which is never listed. */
  hasRepositoryToken: z.boolean(),
  /** Where `git push` deploys it; null while it has a repository or an image, and for an app of the marketplace. */
  pushUrl: z.string().nullable(),
  /** Whether it is deployed from what was pushed there, which takes the place of a template. */
  pushed: z.boolean(),
  /** What it is deployed from while it has neither a repository nor an image. */
  template: ProjectTemplate.nullable(),
  /** The app of the marketplace that it is, as `MarketplaceItem.id`, while it has neither a repository nor an image. */
  recipe: z.object({ id: z.string(), name: z.string(), version: z.string() }).nullable(),
  /** Reference of the image that it is deployed from, spelled out; '' where it is built from a source. */
  image: z.string(),
  /** Digest of the image that answers at `url`; null where none does. */
  imageDigest: z.string().nullable(),
  /** Whether the image's registry is given a username and a password, which are never listed. */
  hasImageCredentials: z.boolean(),
  /** '' is the repository's default branch. */
  branch: z.string(),
  framework: Framework,
  healthPath: z.string(),
  settings: RunSettings,
  /** What the newest build found in the repository; null before the first. */
  detected: Detected.nullable(),
  /** Whether there is a Dockerfile for that to download: not where the repository has its own. */
  hasDockerfile: z.boolean(),
  /** First label of the app's host name; unique, derived from the name. */
  slug: z.string(),
  /** Where the app answers. */
  url: z.string(),
  /** What its app does now. */
  state: z.enum(APP_STATES),
  /** The newest deployment, whatever became of it. */
  latestDeployment: DeploymentSummary.nullable(),
  /** The deployment that answers at `url`, if one does. */
  liveDeploymentId: Id.nullable(),
  createdAt: z.iso.datetime(),
});
export type Project = z.output<typeof Project>;

// RFC 7617: what separates it from the password.
const username = z
  .string()
  .overwrite((name) => name.trim())
  .max(256, 'Usernames can be up to 256 characters long.')
  .regex(/^[^:\r\n]*$/, "Usernames can't contain a colon or a line break.")
  .optional();

/** How to read a private repository over HTTPS. Both '' remove what is stored; a name is for hosts that ask for one. */
const repositoryCredentials = {
  repositoryUsername: username,
  repositoryToken: z
    .string()
    .overwrite((token) => token.trim())
    .max(8192, 'Tokens can be up to 8192 characters long.')
    .regex(/^[\x21-\x7e]*$/, "Tokens can't contain spaces or special characters.")
    .optional(),
};

/** How to log in to an image's registry: both or neither. '' removes what is stored. */
const imageCredentials = {
  imageUsername: username,
  imagePassword: z.string().max(8192, 'Passwords can be up to 8192 characters long.').optional(),
};

export const NewProject = z.object({
  name: line(100, 'Name'),
  description: paragraph(1000, 'Description').default(''),
  repositoryUrl: ProjectRepositoryUrl.default(''),
  ...repositoryCredentials,
  branch: BranchOrDefault.default(DEFAULT_BRANCH),
  framework: Framework.default(DEFAULT_FRAMEWORK),
  settings: RunSettings.partial().optional(),
  /** In the place of a repository; brings its own framework. */
  template: ProjectTemplate.optional(),
  /** In the place of a repository, for example `nginx:1.27` or `registry.example.com/ada/shop`; its framework does not matter. */
  image: ImageOrNone.default(''),
  ...imageCredentials,
  /** What its first deployment has already. */
  variables: VariableList.optional(),
  /** One of your databases, which the project gets as `DATABASE_URL`. */
  databaseId: Id.optional(),
  /** A new PostgreSQL database, which the project gets as `DATABASE_URL`; its first deployment waits for it. */
  newDatabase: z.object({ name: line(63, 'Database name') }).optional(),
});
export type NewProject = z.input<typeof NewProject>;

export const ProjectChange = z.object({
  id: Id,
  name: line(100, 'Name').optional(),
  description: paragraph(1000, 'Description').optional(),
  /** Another host drops the token, unless a new one is given with it. */
  repositoryUrl: ProjectRepositoryUrl.optional(),
  ...repositoryCredentials,
  /** Another host drops the credentials, unless new ones are given with it. */
  image: ImageOrNone.optional(),
  ...imageCredentials,
  branch: BranchOrDefault.optional(),
  framework: Framework.optional(),
  healthPath: HealthPath.optional(),
  /** Only what is to change. */
  settings: RunSettings.partial().optional(),
});

/** Whether this server can run projects of a framework, and if not, why. */
export const Runtime = z.object({
  framework: Framework,
  available: z.boolean(),
  /** One sentence for a person; '' when available. */
  reason: z.string(),
});

/** Whether apps run in containers here, so that images and Dockerfiles can be deployed, and if not, why. */
export const ContainerRuntime = Runtime.omit({ framework: true });
export type ContainerRuntime = z.output<typeof ContainerRuntime>;

export const ProjectPage = listPage(PROJECT_SORTS).optional();

export const projects = {
  list: query({
    summary: 'Your projects, newest first; searched by name, description, repository, image, branch and URL',
    route: 'GET /api/projects',
    forAssistant: true,
    input: ProjectPage,
    output: z.array(Project),
  }),
  create: mutation({
    summary:
      'Create a project. With a repository, a template or an image, its first deployment is queued right away; without, it is deployed by `git push` to its `pushUrl`',
    route: 'POST /api/projects',
    status: 201,
    refusals: { 409: 'You have a database of this name' },
    bodyLimit: VARIABLES_BODY_LIMIT,
    perMinute: 20,
    input: NewProject,
    output: Project,
  }),
  get: query({
    summary: 'One project',
    route: 'GET /api/projects/{id}',
    input: ById,
    output: Project,
    forAssistant: true,
  }),
  update: mutation({
    summary: 'Update a project. Changes apply to the next deployment',
    route: 'PATCH /api/projects/{id}',
    perMinute: 30,
    input: ProjectChange,
    output: Project,
  }),
  remove: mutation({
    summary: 'Delete a project with its running app, releases and logs',
    route: 'DELETE /api/projects/{id}',
    refusals: { 409: 'Another DNS record needs one that would be deleted' },
    fresh: true,
    perMinute: 30,
    input: ById.extend({ deleteRecords: DeleteRecords }),
    output: Success,
  }),
  variables: query({
    summary: "A project's environment variables. Names and references only, never values",
    route: 'GET /api/projects/{id}/variables',
    forAssistant: true,
    input: ById,
    output: z.array(Variable),
  }),
  setVariables: mutation({
    summary:
      'Add or replace many environment variables: all of them, or none where one is refused. They apply to the next restart or deployment',
    route: 'PUT /api/projects/{id}/variables',
    refusals: { 403: 'The project would have too many variables' },
    bodyLimit: VARIABLES_BODY_LIMIT,
    perMinute: 60,
    input: NewVariables,
    output: z.array(Variable),
  }),
  setVariable: mutation({
    summary:
      'Add or replace an environment variable. It applies to the next restart or deployment; the build reads it in a deployment alone',
    route: 'PUT /api/projects/{id}/variables/{name}',
    perMinute: 60,
    input: NewVariable,
    output: Variable,
  }),
  scopeVariable: mutation({
    summary: 'Say whether the build, the app or both get an environment variable. Its value stays',
    route: 'PATCH /api/projects/{id}/variables/{name}',
    perMinute: 60,
    input: VariableScopeChange,
    output: Variable,
  }),
  removeVariable: mutation({
    summary: 'Delete an environment variable',
    route: 'DELETE /api/projects/{id}/variables/{name}',
    perMinute: 60,
    input: VariableOf,
    output: Success,
  }),
  dockerfile: bytes({
    summary: 'A Dockerfile for what the newest build found in the repository, to start from',
    route: `GET ${projectDockerfilePath('{id}')}`,
    refusals: { 404: 'There is no such project, nothing was built yet, or it has a Dockerfile of its own' },
    perMinute: 60,
    input: ById,
    gives: { type: 'text/plain', what: 'The Dockerfile' },
  }),
  ofDatabase: query({
    summary: 'Your projects whose variables refer to a database, themselves or by a group',
    route: 'GET /api/databases/{id}/projects',
    input: ById,
    output: z.array(z.object({ id: Id, name: z.string() })),
  }),
  runtimes: query({
    summary: 'Frameworks this server can run',
    route: 'GET /api/runtimes',
    forAssistant: true,
    output: z.array(Runtime),
  }),
  containerRuntime: query({
    summary: 'Whether this server can run images and build Dockerfiles',
    route: 'GET /api/runtimes/container',
    forAssistant: true,
    output: ContainerRuntime,
  }),
};
