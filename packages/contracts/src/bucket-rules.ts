import { z } from 'zod';
import { CORS_METHODS, MAX_CORS_RULES, MAX_LIFECYCLE_RULES, MAX_RULE_DAYS, MAX_TAGS } from './constants.ts';

/** What S3 lets tags be made of. */
const TAG = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Tags of an object, by key. */
export const ObjectTags = z
  .record(z.string(), z.string())
  .refine(
    (tags) =>
      Object.entries(tags).every(
        ([key, value]) =>
          key !== '' &&
          key.length <= 128 &&
          value.length <= 256 &&
          TAG.test(key) &&
          TAG.test(value) &&
          !key.startsWith('aws:'),
      ),
    'A tag is invalid.',
  )
  .refine((tags) => Object.keys(tags).length <= MAX_TAGS, `There can be at most ${MAX_TAGS} tags.`);

const DAYS = `Days have to be a whole number from 1 to ${MAX_RULE_DAYS.toLocaleString('en')}.`;
const Days = z.int(DAYS).min(1, DAYS).max(MAX_RULE_DAYS, DAYS);
const KEPT = 'From 1 to 100 former versions can be kept.';
const Bytes = z.int().min(0);

/** What of a bucket goes at what age, as S3 has it; days are counted from the midnight (GMT) that follows. */
export const LifecycleRule = z.object({
  /** Its own among the rules of the bucket. Absent, one is made. */
  id: z.string().max(255, 'A name can have at most 255 characters.').optional(),
  isEnabled: z.boolean(),
  /** Beginning of the keys that it is for; empty for all. */
  prefix: z.string().max(1024, 'A prefix can have at most 1,024 characters.'),
  /** All of which an object has to have. */
  tags: ObjectTags,
  /** Bytes that an object has more than, or less than. */
  above: Bytes.optional(),
  below: Bytes.optional(),
  /** When objects go: after days, or from an instant on; or delete markers, once they alone are left. */
  expiry: z
    .union(
      [
        z.strictObject({ days: Days }),
        z.strictObject({ date: z.iso.datetime() }),
        z.strictObject({ markers: z.boolean() }),
      ],
      DAYS,
    )
    .optional(),
  /** Days after which former versions go, but for the newest `kept`. */
  former: z.object({ days: Days, kept: z.int(KEPT).min(1, KEPT).max(100, KEPT).optional() }).optional(),
  /** Days after which an upload that is not finished is given up. */
  abortDays: Days.optional(),
});
export type LifecycleRule = z.output<typeof LifecycleRule>;

/** A rule by age as one sets it. */
export const NewLifecycleRule = LifecycleRule.extend({
  isEnabled: LifecycleRule.shape.isEnabled.default(true),
  prefix: LifecycleRule.shape.prefix.default(''),
  tags: ObjectTags.default({}),
})
  .refine(
    ({ expiry, former, abortDays }) =>
      expiry !== undefined || former !== undefined || abortDays !== undefined,
    'Say what goes: files, former versions, or unfinished uploads.',
  )
  .refine(
    ({ tags, above, below, expiry, abortDays }) =>
      (Object.keys(tags).length === 0 && above === undefined && below === undefined) ||
      (abortDays === undefined && !(expiry && 'markers' in expiry)),
    'Uploads and delete markers have neither tags nor a size.',
  );

/** Rules of a bucket by age, each with an id of its own. */
export const NewLifecycleRules = z
  .array(NewLifecycleRule)
  .max(MAX_LIFECYCLE_RULES, `A bucket can have at most ${MAX_LIFECYCLE_RULES.toLocaleString('en')} rules.`)
  .check(({ value, issues }) => {
    const ids = new Set<string>();
    for (const [at, { id }] of value.entries()) {
      const path = [at, 'id'];
      if (id === undefined) continue;
      if (ids.has(id))
        issues.push({ code: 'custom', input: id, path, message: 'Another rule has this name.' });
      ids.add(id);
    }
  });

/** What is sent in a header as it is: printable ASCII. */
const headerValue = (what: string) =>
  z
    .string()
    .max(2048, `${what} can have at most 2,048 characters.`)
    .regex(/^[\x21-\x7e]*$/, `${what} can only have printable ASCII characters, and no spaces.`);
const pattern = (what: string) =>
  headerValue(what).refine((text) => text.split('*').length <= 2, {
    error: ({ input }) => `${String(input)} can have one * at most.`,
  });
const MAX_AGE = 'Seconds have to be a whole number from 0 to 999,999,999.';

/** Which pages of other sites may call a bucket, as S3 has it. Of a pattern, one `*` stands for anything. */
export const CorsRule = z.object({
  id: z.string().max(255).optional(),
  /** Patterns, such as `https://*.example.com`. */
  origins: z.array(pattern('An origin')).min(1, 'Name an origin, or * for all.'),
  methods: z
    .array(
      z.enum(CORS_METHODS, {
        error: ({ input }) =>
          `Found unsupported HTTP method in CORS config. Unsupported method is ${String(input)}.`,
      }),
    )
    .min(1, 'Choose a method.'),
  /** Patterns of the names of headers that a page may send. */
  headers: z.array(pattern('A header')),
  /** Names of headers that a page may read. */
  exposed: z.array(headerValue('A header')),
  /** Seconds for which a browser remembers this. */
  maxAge: z.int(MAX_AGE).min(0, MAX_AGE).max(999_999_999, MAX_AGE).optional(),
});
export type CorsRule = z.output<typeof CorsRule>;

/** A rule for pages of other sites as one sets it. */
export const NewCorsRule = CorsRule.extend({
  headers: CorsRule.shape.headers.default([]),
  exposed: CorsRule.shape.exposed.default([]),
});

/** The first one that fits counts. */
export const NewCorsRules = z
  .array(NewCorsRule)
  .max(MAX_CORS_RULES, `A bucket can have at most ${MAX_CORS_RULES} rules.`);

/** What clients may do to a bucket by itself, and what goes from it by itself. */
export const BucketRules = z.object({
  lifecycle: z.array(LifecycleRule),
  cors: z.array(CorsRule),
  /** Changes with the rules. */
  revision: z.string(),
});
export type BucketRules = z.output<typeof BucketRules>;

/** The `revision` that a change was made of: it is refused where the rules changed since. Absent, nobody asks. */
export const RulesRevision = z.string().max(64).optional();
