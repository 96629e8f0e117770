import { z } from 'zod';
import { APP_STATES, DEFAULT_BRANCH, DEFAULT_FRAMEWORK, FRAMEWORKS, PROJECT_SORTS } from './constants.ts';
import { DeploymentSummary } from './deployments.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, listPage, Success } from './page.ts';
import { faultOfVariableName, faultOfVariableValue, MAX_VARIABLES } from './project-rules.ts';
import { line, paragraph } from './text.ts';

export const Framework = z.enum(FRAMEWORKS, `Framework must be one of ${FRAMEWORKS.join(', ')}.`);
export type Framework = z.output<typeof Framework>;

/** Sources that come with the server, to start a project without a repository. */
export const ProjectTemplate = z.enum([
  'full-stack',
  'node-api',
  'python-api',
  'react-site',
  'static-site',
  'status-page',
]);
export type ProjectTemplate = z.output<typeof ProjectTemplate>;

const NO_SUCH_PARTS = /^-|^HEAD$|^[./]|[./]$|\.\.|\/\/|\.lock$/;

/** A branch's name: a safe subset of git's own grammar (git-check-ref-format). */
export const Branch = z
  .string()
  .regex(/^[A-Za-z0-9._/-]{1,200}$/, 'Branch names can contain letters, digits, and . _ / - only.')
  .refine((name) => !NO_SUCH_PARTS.test(name), "Git doesn't accept this branch name.");

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
    'Enter a public HTTPS repository URL, like https://github.com/you/app.git.',
  );

/** Path that must answer below 500 (and not 404) before a new version takes over; '' asks only for an open port. */
export const HealthPath = z
  .string()
  .max(200)
  .regex(/^(\/(?!\/)[A-Za-z0-9._~/%-]*)?$/, 'Enter a path like /healthz, without a query string.');

export const Project = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  repositoryUrl: z.string(),
  /** What it is deployed from while it has no repository. */
  template: ProjectTemplate.nullable(),
  branch: z.string(),
  framework: Framework,
  healthPath: z.string(),
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

export const NewProject = z.object({
  name: line(100, 'Name'),
  description: paragraph(1000, 'Description').default(''),
  repositoryUrl: RepositoryUrl.default(''),
  branch: Branch.default(DEFAULT_BRANCH),
  framework: Framework.default(DEFAULT_FRAMEWORK),
  /** In the place of a repository; brings its own framework. */
  template: ProjectTemplate.optional(),
});
export type NewProject = z.input<typeof NewProject>;

export const ProjectChange = z.object({
  id: Id,
  name: line(100, 'Name').optional(),
  description: paragraph(1000, 'Description').optional(),
  repositoryUrl: RepositoryUrl.optional(),
  branch: Branch.optional(),
  framework: Framework.optional(),
  healthPath: HealthPath.optional(),
});

export const VariableName = z.string().refine((name) => faultOfVariableName(name) === undefined, {
  error: ({ input }) => faultOfVariableName(String(input)),
});

/** A variable as it is listed: its value is never given back. */
export const Variable = z.object({ name: z.string(), updatedAt: z.iso.datetime() });
export type Variable = z.output<typeof Variable>;

const VariableValue = z.string().refine((value) => faultOfVariableValue(value) === undefined, {
  error: ({ input }) => faultOfVariableValue(String(input)),
});

export const NewVariable = z.object({ id: Id, name: VariableName, value: VariableValue });

/** Bytes of a request with many variables. */
const VARIABLES_BODY_LIMIT = 512 * 1024;

export const NewVariables = z.object({
  id: Id,
  /** Each name once. Names that are not in the list keep their values. */
  variables: z
    .array(z.object({ name: VariableName, value: VariableValue }))
    .min(1, 'Send at least one variable.')
    .max(MAX_VARIABLES, `Send at most ${MAX_VARIABLES} variables.`)
    .refine(
      (variables) => new Set(variables.map(({ name }) => name)).size === variables.length,
      'Each name can be set once.',
    ),
});

/** Whether this server can run projects of a framework, and if not, why. */
export const Runtime = z.object({
  framework: Framework,
  available: z.boolean(),
  /** One sentence for a person; '' when available. */
  reason: z.string(),
});

export const ProjectPage = listPage(PROJECT_SORTS).optional();

export const projects = {
  list: query({
    summary: 'Your projects, newest first; searched by name, description, repository, branch and URL',
    route: 'GET /api/projects',
    forAssistant: true,
    input: ProjectPage,
    output: z.array(Project),
  }),
  create: mutation({
    summary: 'Create a project. With a repository or a template, its first deployment is queued right away',
    route: 'POST /api/projects',
    status: 201,
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
    perMinute: 30,
    input: ById,
    output: Success,
  }),
  variables: query({
    summary: "A project's environment variables. Names only, never values",
    route: 'GET /api/projects/{id}/variables',
    forAssistant: true,
    input: ById,
    output: z.array(Variable),
  }),
  setVariables: mutation({
    summary:
      'Add or replace many environment variables: all of them, or none where one is refused. They apply to the next deployment',
    route: 'PUT /api/projects/{id}/variables',
    refusals: { 403: 'The project would have too many variables' },
    bodyLimit: VARIABLES_BODY_LIMIT,
    perMinute: 60,
    input: NewVariables,
    output: z.array(Variable),
  }),
  setVariable: mutation({
    summary: 'Add or replace an environment variable. It applies to the next deployment',
    route: 'PUT /api/projects/{id}/variables/{name}',
    perMinute: 60,
    input: NewVariable,
    output: Variable,
  }),
  removeVariable: mutation({
    summary: 'Delete an environment variable',
    route: 'DELETE /api/projects/{id}/variables/{name}',
    perMinute: 60,
    input: z.object({ id: Id, name: z.string() }),
    output: Success,
  }),
  runtimes: query({
    summary: 'Frameworks this server can run',
    route: 'GET /api/runtimes',
    forAssistant: true,
    output: z.array(Runtime),
  }),
};
