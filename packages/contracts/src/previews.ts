import { z } from 'zod';
import {
  APP_STATES,
  MAX_PREVIEW_BRANCHES,
  MAX_PREVIEW_DATABASES,
  MAX_PREVIEW_DAYS,
  MAX_PREVIEWS,
} from './constants.ts';
import { mutation, query } from './kit.ts';
import { ById, Id } from './page.ts';

const PATTERN = 'Enter a branch like next, or several by one * like feature/*.';
const TOO_MANY = `You can enter up to ${MAX_PREVIEW_BRANCHES} lines.`;
const TOO_MANY_DATABASES = `You can choose up to ${MAX_PREVIEW_DATABASES} databases.`;
const LIMIT = `Enter a number from 1 to ${MAX_PREVIEWS}.`;
const DAYS = `Enter a number from 1 to ${MAX_PREVIEW_DAYS}.`;

/** A branch, or a beginning and an end that branches have, with one `*` between. */
const BranchPattern = z
  .string(PATTERN)
  .overwrite((value) => value.trim())
  .regex(/^(?=.{1,200}$)[A-Za-z0-9._/-]*\*?[A-Za-z0-9._/-]*$/, PATTERN);

/** Which branches of a project's repository get projects of their own. */
export const PreviewSettings = z.object({
  enabled: z.boolean(),
  /** Branches, in each of which one `*` stands for any characters. */
  branches: z.array(z.string()),
  /** Previews that there can be at once. */
  limit: z.int(),
  /** Days after the last push at which a preview is deleted. */
  days: z.int(),
  /** The group whose variables new previews get; null for none. A project's own are never copied. */
  groupId: Id.nullable(),
  /** Databases of which each preview gets a copy of its own, as they are when it is made; the copy goes with it. */
  databaseIds: z.array(Id),
  /** The project that this one is a preview of, which has none itself; null where it is none. */
  previewOf: Id.nullable(),
});
export type PreviewSettings = z.output<typeof PreviewSettings>;

export const PreviewSettingsChange = ById.extend({
  enabled: z.boolean().optional(),
  branches: z.array(BranchPattern, TOO_MANY).min(1, PATTERN).max(MAX_PREVIEW_BRANCHES, TOO_MANY).optional(),
  limit: z.int(LIMIT).min(1, LIMIT).max(MAX_PREVIEWS, LIMIT).optional(),
  days: z.int(DAYS).min(1, DAYS).max(MAX_PREVIEW_DAYS, DAYS).optional(),
  groupId: Id.nullable().optional(),
  databaseIds: z.array(Id).max(MAX_PREVIEW_DATABASES, TOO_MANY_DATABASES).optional(),
});

/** A branch of a project's repository that has a project of its own. */
export const Preview = z.object({
  /** Of the project that it is. */
  id: Id,
  branch: z.string(),
  /** The number of the newest pull request for the branch; null where there was none. */
  pullRequest: z.int().nullable(),
  state: z.enum(APP_STATES),
  /** Where its app answers. */
  url: z.string(),
  pushedAt: z.iso.datetime(),
  /** When it is deleted, unless there is a push before. */
  endsAt: z.iso.datetime(),
});
export type Preview = z.output<typeof Preview>;

export const previews = {
  settings: query({
    summary: 'Which branches of a project get previews',
    route: 'GET /api/projects/{id}/preview-settings',
    input: ById,
    output: PreviewSettings,
  }),
  update: mutation({
    summary:
      'Say which branches get previews: projects of their own, which the push hook deploys. The ones that are there stay',
    route: 'PATCH /api/projects/{id}/preview-settings',
    refusals: {
      422: 'The project is a preview itself, has no repository at a Git host, or a database cannot be copied',
    },
    perMinute: 30,
    input: PreviewSettingsChange,
    output: PreviewSettings,
  }),
  list: query({
    summary: "A project's previews, those with the newest push first",
    route: 'GET /api/projects/{id}/previews',
    input: ById,
    output: z.array(Preview),
  }),
};
