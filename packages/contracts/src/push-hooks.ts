import { z } from 'zod';
import { MAX_WATCHED_PATHS } from './constants.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';

const PATH = 'Enter a folder or file of the repository, like apps/web, without wildcards.';
const TOO_MANY = `You can watch up to ${MAX_WATCHED_PATHS} paths.`;

/** A folder or a file of the repository: neither `/` nor `./` before it, no `/` behind it. */
const WatchedPath = z
  .string(PATH)
  .overwrite((value) =>
    value
      .trim()
      .replace(/^(\.?\/)+/, '')
      .replace(/\/+$/, ''),
  )
  .max(200, 'Paths can be up to 200 characters long.')
  .regex(/^[\p{L}\p{N}._@+~ -]+(\/[\p{L}\p{N}._@+~ -]+)*$/u, PATH)
  .refine((path) => !path.split('/').some((name) => name === '.' || name === '..'), PATH);

/** What tells a project of pushes to its repository. */
export const PushHook = z.object({
  /** Where the Git host sends pushes. */
  address: z.string(),
  /** When its present secret was made; null while the hook is off: nothing is accepted. */
  enabledAt: z.iso.datetime().nullable(),
  /** Folders and files of which a push has to change one in order to deploy; none: any push does. */
  paths: z.array(z.string()),
});
export type PushHook = z.output<typeof PushHook>;

export const PushHookSecret = z.object({ secret: z.string() });

/** What became of a push that a Git host told of. */
export const DeliveryResult = z.enum(['deployed', 'ignored', 'refused']);
export type DeliveryResult = z.output<typeof DeliveryResult>;

export const PushDelivery = z.object({
  id: Id,
  createdAt: z.iso.datetime(),
  /** Who sent it, for example `GitHub`; '' for a program of one's own. */
  sender: z.string(),
  /** The sender's name of what happened, for example `push` or `repo:push`. */
  event: z.string(),
  /** '' where it names none. */
  branch: z.string(),
  /** '' where it names none. */
  commit: z.string(),
  result: DeliveryResult,
  /** Why it was not deployed, as a sentence; '' where it was. */
  reason: z.string(),
  /** What it queued, while that is there. */
  deploymentId: Id.nullable(),
  /** Whose deployment that is: this project's, or that of a preview; null where it is not there. */
  projectId: Id.nullable(),
});
export type PushDelivery = z.output<typeof PushDelivery>;

export const PushHookChange = ById.extend({
  paths: z.array(WatchedPath, TOO_MANY).max(MAX_WATCHED_PATHS, TOO_MANY),
});

const SECRET_ROUTE = '/api/projects/{id}/push-hook/secret';

export const pushHooks = {
  get: query({
    summary: "A project's push hook: its address, and which changes deploy",
    route: 'GET /api/projects/{id}/push-hook',
    input: ById,
    output: PushHook,
  }),
  update: mutation({
    summary: 'Set which folders and files a push has to change in order to deploy',
    route: 'PATCH /api/projects/{id}/push-hook',
    perMinute: 30,
    input: PushHookChange,
    output: PushHook,
  }),
  remove: mutation({
    summary: 'Turn the push hook off: its secret is deleted, so nothing is accepted any more',
    route: 'DELETE /api/projects/{id}/push-hook',
    perMinute: 30,
    input: ById,
    output: Success,
  }),
  secret: query({
    summary: 'The secret with which the Git host signs what it sends',
    route: `GET ${SECRET_ROUTE}`,
    refusals: { 404: 'There is no such project, or its push hook has no secret' },
    fresh: true,
    perMinute: 60,
    secret: true,
    input: ById,
    output: PushHookSecret,
  }),
  renewSecret: mutation({
    summary: 'Make a secret for the push hook, in the place of the one that it has',
    route: `POST ${SECRET_ROUTE}`,
    fresh: true,
    perMinute: 20,
    secret: true,
    input: ById,
    output: PushHookSecret,
  }),
  deliveries: query({
    summary: 'What the push hook was told of, newest first: the last 50',
    route: 'GET /api/projects/{id}/push-hook/deliveries',
    input: ById,
    output: z.array(PushDelivery),
  }),
};
