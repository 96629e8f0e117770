import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { setPublic } from './bucket-settings.ts';
import { type BucketCall, bodyOf } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

/** Bytes of the longest policy: S3's bound. */
const LONGEST = 20 * 1024;
const VERSION = '2012-10-17';
const READ = 's3:GetObject';

function objectsOf({ bucket: { name } }: BucketCall): string {
  return `arn:aws:s3:::${name}/*`;
}

const Policy = z.looseObject({ Statement: z.unknown() });

/** One of a text, and of a list that has it alone. */
function alone<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.tuple([schema])]);
}

/** The one policy that there is: anybody reads all objects. */
function publicRead(call: BucketCall) {
  const Everybody = z.union([z.literal('*'), z.strictObject({ AWS: alone(z.literal('*')) })]);
  return z.strictObject({
    ...{ Version: z.string().optional(), Id: z.string().optional() },
    Statement: alone(
      z.strictObject({
        ...{ Sid: z.string().optional(), Effect: z.literal('Allow'), Principal: Everybody },
        ...{ Action: alone(z.literal(READ)), Resource: alone(z.literal(objectsOf(call))) },
      }),
    ),
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** PutBucketPolicy. Throws MalformedPolicy, and NotImplemented for any but that by which anybody can read. */
export async function putPolicy(call: BucketCall): Promise<FastifyReply> {
  const policy = jsonOf(await bodyOf(call, { limit: LONGEST }));
  if (!Policy.safeParse(policy).success) throw new S3Error('MalformedPolicy');
  if (!publicRead(call).safeParse(policy).success) {
    const message =
      `A bucket can only be private, without a policy, or let anybody read: one statement that allows * the action ` +
      `${READ} on ${objectsOf(call)}.`;
    throw new S3Error('NotImplemented', { message });
  }
  await setPublic(call, true);
  return call.reply.code(204).send();
}

/** GetBucketPolicy. Throws NoSuchBucketPolicy. */
export async function sendPolicy(call: BucketCall): Promise<FastifyReply> {
  if (!call.bucket.isPublic) throw new S3Error('NoSuchBucketPolicy');
  const Statement = [
    { Sid: 'PublicRead', Effect: 'Allow', Principal: '*', Action: READ, Resource: objectsOf(call) },
  ];
  return call.reply.type('application/json').send(JSON.stringify({ Version: VERSION, Statement }));
}

/** DeleteBucketPolicy: nobody reads without a key any more, but for objects that are public one by one. */
export async function deletePolicy(call: BucketCall): Promise<FastifyReply> {
  await setPublic(call, false);
  return call.reply.code(204).send();
}

/** GetBucketPolicyStatus. */
export async function sendPolicyStatus({ reply, bucket }: BucketCall): Promise<FastifyReply> {
  return sendXml(reply, 'PolicyStatus', { IsPublic: bucket.isPublic });
}
