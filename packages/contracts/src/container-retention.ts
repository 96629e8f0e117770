import { z } from 'zod';
import { TAG_PATTERN_MAX } from './constants.ts';
import { ImageDeletion } from './container-storage.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';

const KEEP_MAX = 1000;
const DAYS_MAX = 3650;

/** `*` stands for any characters, also for none; everything else for itself. */
const TagPattern = z
  .string()
  .overwrite((pattern) => pattern.trim())
  .max(TAG_PATTERN_MAX, `Patterns can have at most ${TAG_PATTERN_MAX} characters.`)
  .regex(/^[a-zA-Z0-9_.*-]*$/, 'Patterns can have letters, digits, . _ - and *.');

/** Which tags of a repository are deleted each night: those that match, but for the newest and the young. */
export const RetentionRule = z.object({
  /** The tags that it is about: `*` for all. */
  matching: TagPattern.min(1, 'Enter a pattern, * for all tags.'),
  /** Of those, tags that stay whatever their age, for example `v*`; '' for none. They aren't counted. */
  keepMatching: TagPattern.default(''),
  /** How many of the rest stay, the newest pushes first. */
  keepLast: z
    .int()
    .min(1, 'At least one tag is kept.')
    .max(KEEP_MAX, `At most ${KEEP_MAX} tags can be kept by number.`),
  /** Days since its push after which one may go; 0 for whatever its age. */
  olderThanDays: z.int().min(0, 'Days can be 0 or more.').max(DAYS_MAX, `Days can be at most ${DAYS_MAX}.`),
  /** Whether untagged images go as well, but for recent pushes and what a project needs. */
  untagged: z.boolean(),
});
export type RetentionRule = z.output<typeof RetentionRule>;

export const Retention = z.object({
  /** Null where nothing is deleted by itself, as at first. */
  rule: RetentionRule.nullable(),
  nextRunAt: z.iso.datetime().nullable(),
  /** The last run of the rule as it is; null where there was none yet. */
  lastRun: z
    .object({
      at: z.iso.datetime(),
      /** How many tags went. */
      tags: z.int(),
      /** Bytes that it freed of the plan's storage. */
      size: z.int(),
    })
    .nullable(),
});
export type Retention = z.output<typeof Retention>;

/** What a rule would do now. */
export const RetentionPreview = z.object({
  /** All tags that name an image, the newest push first. */
  tags: z.array(
    z.object({
      id: Id,
      tag: z.string(),
      digest: z.string(),
      pushedAt: z.iso.datetime(),
      /** Why it stays, as a sentence; '' where it goes. */
      keptBecause: z.string(),
    }),
  ),
  /** What goes with those tags, and what goes that is untagged already where the rule says so. */
  deletion: ImageDeletion,
});
export type RetentionPreview = z.output<typeof RetentionPreview>;

/** Rows of the table of containers, with its own words. */
export const containerRetention = {
  retention: query({
    summary: 'The rule by which tags of a repository are deleted each night, and its last run',
    route: 'GET /api/registry/repositories/{id}/retention',
    input: ById,
    output: Retention,
  }),
  previewRetention: mutation({
    summary: 'What a retention rule would delete now, and why each other tag stays',
    route: 'POST /api/registry/repositories/{id}/retention/preview',
    needs: 'view',
    changesNothing: true,
    perMinute: 60,
    input: ById.extend(RetentionRule.shape),
    output: RetentionPreview,
  }),
  setRetention: mutation({
    summary: 'Set the retention rule of a repository; it first runs the next night',
    route: 'PUT /api/registry/repositories/{id}/retention',
    fresh: true,
    perMinute: 30,
    input: ById.extend(RetentionRule.shape),
    output: Retention,
  }),
  removeRetention: mutation({
    summary: 'Remove the retention rule of a repository',
    route: 'DELETE /api/registry/repositories/{id}/retention',
    perMinute: 30,
    input: ById,
    output: Success,
  }),
};
