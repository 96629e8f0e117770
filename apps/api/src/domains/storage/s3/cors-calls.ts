import { UPLOADS_BUCKET } from '@nephos/contracts/constants';
import type { CorsRule } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { setRules } from './bucket-settings.ts';
import { listOf } from './parse-xml.ts';
import { type BucketCall, documentOf, MAX_SETTINGS } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

const MOST_RULES = 100;
const METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'HEAD', 'POST', 'DELETE']);

const Texts = listOf(z.string());
const Rule = z.object({
  ID: z.string().max(255).optional(),
  AllowedOrigin: Texts,
  AllowedMethod: Texts,
  AllowedHeader: Texts.optional(),
  ExposeHeader: Texts.optional(),
  MaxAgeSeconds: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .optional(),
});
const Configuration = z.object({ CORSRule: listOf(Rule) });

const HEADER_VALUE = /^[\x21-\x7e]*$/;

/** Throws InvalidRequest. */
function assertRule({ origins, methods, headers, exposed }: CorsRule): void {
  const unknown = methods.find((method) => !METHODS.has(method));
  if (unknown !== undefined) {
    const message = `Found unsupported HTTP method in CORS config. Unsupported method is ${unknown}.`;
    throw new S3Error('InvalidRequest', { message });
  }
  const vague = [...origins, ...headers].find((pattern) => pattern.split('*').length > 2);
  if (vague !== undefined) {
    throw new S3Error('InvalidRequest', { message: `${vague} can have one * at most.` });
  }
  // They are sent as they are.
  if (![...origins, ...headers, ...exposed].every((text) => HEADER_VALUE.test(text))) {
    throw new S3Error('InvalidRequest', { message: 'Origins and names of headers are printable ASCII.' });
  }
}

/** PutBucketCors. Throws InvalidRequest, and AccessDenied for the console's own, which nobody can name without a key. */
export async function putCors(call: BucketCall): Promise<FastifyReply> {
  if (call.bucket.name === UPLOADS_BUCKET) {
    throw new S3Error('AccessDenied', {
      message: `${UPLOADS_BUCKET} has no CORS rules. Use another bucket.`,
    });
  }
  const { CORSRule } = await documentOf(call, 'CORSConfiguration', Configuration, { limit: MAX_SETTINGS });
  if (CORSRule.length > MOST_RULES) throw new S3Error('MalformedXML');
  const cors = CORSRule.map(
    ({ ID, AllowedOrigin, AllowedMethod, AllowedHeader = [], ExposeHeader = [], MaxAgeSeconds }) => ({
      ...{ id: ID, origins: AllowedOrigin, methods: AllowedMethod, headers: AllowedHeader },
      ...{ exposed: ExposeHeader, maxAge: MaxAgeSeconds },
    }),
  );
  for (const rule of cors) assertRule(rule);
  await setRules(call, { cors });
  return call.reply.send();
}

/** GetBucketCors. Throws NoSuchCORSConfiguration. */
export async function sendCors({ reply, bucket: { cors } }: BucketCall): Promise<FastifyReply> {
  if (cors === null) throw new S3Error('NoSuchCORSConfiguration');
  return sendXml(reply, 'CORSConfiguration', {
    CORSRule: cors.map(({ id, origins, methods, headers, exposed, maxAge }) => ({
      ...{ ID: id, AllowedOrigin: origins, AllowedMethod: methods, AllowedHeader: headers },
      ...{ ExposeHeader: exposed, MaxAgeSeconds: maxAge },
    })),
  });
}

/** DeleteBucketCors. */
export async function deleteCors(call: BucketCall): Promise<FastifyReply> {
  await setRules(call, { cors: null });
  return call.reply.code(204).send();
}
