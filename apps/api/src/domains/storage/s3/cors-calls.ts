import { NewCorsRules } from '@nephos/contracts';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { asRules, setRules } from './bucket-settings.ts';
import { listOf } from './parse-xml.ts';
import { type BucketCall, documentOf, MAX_SETTINGS } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { sendXml } from './xml.ts';

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

/** PutBucketCors. Throws InvalidRequest, and AccessDenied for the console's own. */
export async function putCors(call: BucketCall): Promise<FastifyReply> {
  const { CORSRule } = await documentOf(call, 'CORSConfiguration', Configuration, { limit: MAX_SETTINGS });
  const rules = CORSRule.map(
    ({ ID, AllowedOrigin, AllowedMethod, AllowedHeader = [], ExposeHeader = [], MaxAgeSeconds }) => ({
      ...{ id: ID, origins: AllowedOrigin, methods: AllowedMethod, headers: AllowedHeader },
      ...{ exposed: ExposeHeader, maxAge: MaxAgeSeconds },
    }),
  );
  await setRules(call, { cors: asRules(NewCorsRules, rules) });
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
  await setRules(call, { cors: [] });
  return call.reply.code(204).send();
}
