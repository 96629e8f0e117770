import { NewLifecycleRules } from '@nephos/contracts';
import type { LifecycleRule } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { asRules, setRules } from './bucket-settings.ts';
import { assertTags } from './object-headers.ts';
import { listOf } from './parse-xml.ts';
import { type BucketCall, documentOf, MAX_SETTINGS } from './s3-call.ts';
import { badArgument, S3Error } from './s3-error.ts';
import { sendXml, type XmlElements } from './xml.ts';

// Whatever is not known of a rule may be what keeps an object from it, so that nothing is passed over.
const Count = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const Tag = z.strictObject({ Key: z.string(), Value: z.string() });
const Conditions = z.strictObject({
  ...{ Prefix: z.string().optional(), Tag: listOf(Tag).optional() },
  ...{ ObjectSizeGreaterThan: Count.optional(), ObjectSizeLessThan: Count.optional() },
});

function isOne({ Tag: tags = [], ...others }: z.output<typeof Conditions>): boolean {
  return tags.length + Object.keys(others).length <= 1;
}

const Filter = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() === '' ? {} : value),
  z.union([
    Conditions.refine(isOne, 'More than one condition has to be in And.'),
    z.strictObject({ And: Conditions }).transform(({ And }) => And),
  ]),
);
const Expiration = z.strictObject({
  ...{ Days: Count.optional(), Date: z.string().optional() },
  ExpiredObjectDeleteMarker: z.enum(['true', 'false']).optional(),
});
const Former = z.strictObject({ NoncurrentDays: Count, NewerNoncurrentVersions: Count.optional() });
const Rule = z.strictObject({
  ...{ ID: z.string().optional(), Status: z.enum(['Enabled', 'Disabled']) },
  ...{ Prefix: z.string().optional(), Filter: Filter.optional(), Expiration: Expiration.optional() },
  NoncurrentVersionExpiration: Former.optional(),
  AbortIncompleteMultipartUpload: z.strictObject({ DaysAfterInitiation: Count }).optional(),
  ...{ Transition: z.unknown().optional(), NoncurrentVersionTransition: z.unknown().optional() },
});
const Configuration = z.object({ Rule: listOf(Rule) });
type RuleXml = z.output<typeof Rule>;

/** An instant at midnight, as S3 asks for. */
function midnightIn(text: string): string {
  const isMidnight = /^\d{4}-\d\d-\d\d(T00:00:00(\.0+)?(Z|\+00:00)?)?$/.test(text);
  const date = new Date(isMidnight ? `${text.slice(0, 10)}T00:00:00Z` : Number.NaN);
  if (Number.isNaN(date.getTime())) {
    throw badArgument('Date', 'Date has to be a day, or its midnight in GMT, as ISO 8601 has it.');
  }
  return date.toISOString();
}

function expiryIn({ Expiration: given }: RuleXml): LifecycleRule['expiry'] {
  if (!given) return undefined;
  const { Days: days, Date: date, ExpiredObjectDeleteMarker: markers } = given;
  if (Object.keys(given).length !== 1) throw new S3Error('MalformedXML');
  if (days !== undefined) return { days };
  return date === undefined ? { markers: markers === 'true' } : { date: midnightIn(date) };
}

/** Throws MalformedXML, InvalidArgument, InvalidTag, and NotImplemented for other storage classes. */
function ruleIn(given: RuleXml) {
  const { ID, Status, Prefix, Filter: filter, NoncurrentVersionExpiration: former } = given;
  if (given.Transition !== undefined || given.NoncurrentVersionTransition !== undefined) {
    throw new S3Error('NotImplemented', {
      message: 'There is one storage class, so nothing moves to another.',
    });
  }
  if ((Prefix === undefined) === (filter === undefined)) throw new S3Error('MalformedXML');
  const { Tag: tags = [], ...conditions } = filter ?? {};
  return {
    ...{ id: ID, isEnabled: Status === 'Enabled', prefix: Prefix ?? conditions.Prefix ?? '' },
    tags: assertTags(tags.map(({ Key, Value }) => [Key, Value] as const)),
    ...{ above: conditions.ObjectSizeGreaterThan, below: conditions.ObjectSizeLessThan },
    expiry: expiryIn(given),
    former: former && { days: former.NoncurrentDays, kept: former.NewerNoncurrentVersions },
    abortDays: given.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
  };
}

/** PutBucketLifecycleConfiguration. */
export async function putLifecycle(call: BucketCall): Promise<FastifyReply> {
  const { Rule: given } = await documentOf(call, 'LifecycleConfiguration', Configuration, {
    limit: MAX_SETTINGS,
  });
  const rules = asRules(NewLifecycleRules, given.map(ruleIn));
  const lifecycle = rules.map((rule, at) => ({ ...rule, isPlain: given[at]?.Filter === undefined }));
  await setRules(call, { lifecycle });
  return call.reply.send();
}

function conditionsXml({ prefix, isPlain, tags, above, below }: LifecycleRule): XmlElements {
  if (isPlain) return { Prefix: prefix };
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const all = { ObjectSizeGreaterThan: above, ObjectSizeLessThan: below, Tag: Tags };
  const others = Tags.length + [above, below].filter((size) => size !== undefined).length;
  const hasPrefix = prefix !== '' || others === 0;
  const conditions = { Prefix: hasPrefix ? prefix : undefined, ...all };
  return { Filter: others + Number(hasPrefix) > 1 ? { And: conditions } : conditions };
}

function expiryXml(expiry: LifecycleRule['expiry']): XmlElements | undefined {
  if (!expiry) return undefined;
  if ('days' in expiry) return { Days: expiry.days };
  return 'date' in expiry ? { Date: expiry.date } : { ExpiredObjectDeleteMarker: expiry.markers };
}

/** GetBucketLifecycleConfiguration. Throws NoSuchLifecycleConfiguration. */
export async function sendLifecycle({ reply, bucket: { lifecycle } }: BucketCall): Promise<FastifyReply> {
  if (lifecycle === null) throw new S3Error('NoSuchLifecycleConfiguration');
  return sendXml(reply, 'LifecycleConfiguration', {
    Rule: lifecycle.map((rule) => ({
      ...{ ID: rule.id, ...conditionsXml(rule), Status: rule.isEnabled ? 'Enabled' : 'Disabled' },
      Expiration: expiryXml(rule.expiry),
      NoncurrentVersionExpiration: rule.former && {
        ...{ NoncurrentDays: rule.former.days, NewerNoncurrentVersions: rule.former.kept },
      },
      AbortIncompleteMultipartUpload:
        rule.abortDays === undefined ? undefined : { DaysAfterInitiation: rule.abortDays },
    })),
  });
}

/** DeleteBucketLifecycle. */
export async function deleteLifecycle(call: BucketCall): Promise<FastifyReply> {
  await setRules(call, { lifecycle: [] });
  return call.reply.code(204).send();
}
