import { UPLOADS_BUCKET } from '@nephos/contracts/constants';
import { type CorsRule, type Database, type Parameter, prepare } from '@nephos/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Address } from './address.ts';
import type { S3Parts } from './s3-call.ts';
import { S3Error } from './s3-error.ts';

// Of the console's buckets there are many of one name, and the console itself is none of those who call from elsewhere.
const rulesByName = prepare((db, parameter: Parameter<{ name: string }>) =>
  db
    .selectFrom('buckets')
    .select('cors')
    .where('name', '=', parameter('name'))
    .where('name', '<>', UPLOADS_BUCKET)
    .where('cors', 'is not', null)
    .compile(),
);

async function rulesOf(db: Kysely<Database>, name: string): Promise<readonly CorsRule[]> {
  if (name === '' || name === UPLOADS_BUCKET) return [];
  const [row] = await rulesByName(db, { name });
  return row?.cors ?? [];
}

/** Whether a pattern, of which a `*` stands for anything, is a text's; both in one case. */
function isLike(pattern: string, text: string): boolean {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

interface Asked {
  origin: string;
  method: string;
  /** Names, in lower case. */
  headers: readonly string[];
}

/** The first rule that lets a page do that, and the pattern that is its origin's. */
function ruleFor(rules: readonly CorsRule[], { origin, method, headers }: Asked) {
  for (const rule of rules) {
    const pattern = rule.origins.find((one) => isLike(one, origin));
    const isAllowed = (name: string) => rule.headers.some((one) => isLike(one.toLowerCase(), name));
    if (pattern !== undefined && rule.methods.some((one) => one === method) && headers.every(isAllowed)) {
      return { rule, pattern };
    }
  }
  return undefined;
}

function allow(
  reply: FastifyReply,
  { origin, headers }: Asked,
  found: NonNullable<ReturnType<typeof ruleFor>>,
) {
  const { rule, pattern } = found;
  reply.headers({
    'access-control-allow-origin': pattern === '*' ? '*' : origin,
    'access-control-allow-methods': rule.methods.join(', '),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
    ...(headers.length > 0 && { 'access-control-allow-headers': headers.join(', ') }),
    ...(rule.exposed.length > 0 && { 'access-control-expose-headers': rule.exposed.join(', ') }),
    ...(rule.maxAge !== undefined && { 'access-control-max-age': rule.maxAge }),
  });
}

/** Lets a page of another site read the answer, also a refusal, where the bucket's rules say so. */
export async function allowOrigin(
  { db }: S3Parts,
  { headers: { origin }, method }: FastifyRequest,
  reply: FastifyReply,
  { bucket }: Address,
): Promise<void> {
  if (origin === undefined) return;
  const asked = { origin, method, headers: [] };
  const found = ruleFor(await rulesOf(db, bucket), asked);
  if (found) allow(reply, asked, found);
}

/** Answers whether a page of another site may send a request, which nobody signs. Throws BadRequest and AccessDenied. */
export async function answerPreflight(
  { db }: S3Parts,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bucket }: Address,
): Promise<FastifyReply> {
  const { origin } = headers;
  const method = headers['access-control-request-method'];
  if (origin === undefined || method === undefined) {
    throw new S3Error('BadRequest', { message: 'Origin and Access-Control-Request-Method are required.' });
  }
  const names = (headers['access-control-request-headers'] ?? '').toLowerCase().split(',');
  const asked = { origin, method, headers: names.map((name) => name.trim()).filter((name) => name !== '') };
  const found = ruleFor(await rulesOf(db, bucket), asked);
  if (!found)
    throw new S3Error('AccessDenied', { message: "The bucket's CORS rules don't allow this request." });
  allow(reply, asked, found);
  return reply.send();
}
