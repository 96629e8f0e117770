import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { challenge, type RegistryCaller, type RegistryParts } from './access.ts';
import { nextLink, readLast, readLimit } from './listings.ts';
import { methodUnsupported } from './registry-error.ts';

/** Below `/v2/`. */
export const CATALOGUE = '_catalog';

interface Request {
  caller: RegistryCaller;
  request: FastifyRequest;
  reply: FastifyReply;
  query: URLSearchParams;
}

/**
 * `GET /v2/_catalog`: the names of the repositories that the caller may pull from, their own and public ones, in order;
 * for who has no account, public ones. A token has to be given for it (scope `registry:catalog:*`).
 */
export async function listCatalogue(
  parts: RegistryParts,
  { caller, request, reply, query }: Request,
): Promise<FastifyReply> {
  if (request.method !== 'GET') throw methodUnsupported();
  if (caller.bearer === null && caller.grants === null) throw challenge(parts, { catalogue: true });
  if (!caller.mayList) throw challenge(parts, { catalogue: true, error: 'insufficient_scope' });
  const [limit, last] = [readLimit(query), readLast(query)];
  const owner = caller.bearer?.workspace.id ?? null;
  const { rows } = await sql<{ name: string }>`
    select name from (
      (select name from container_repositories
        where owner_id = ${owner} and name > ${last} order by name limit ${limit + 1})
      union
      (select name from container_repositories
        where is_public and name > ${last} order by name limit ${limit + 1})
    ) as seen order by name limit ${limit + 1}`.execute(parts.deps.db);
  const repositories = rows.slice(0, limit).map(({ name }) => name);
  const end = repositories.at(-1);
  if (rows.length > limit && end !== undefined) {
    reply.header('link', nextLink(`/v2/${CATALOGUE}`, { n: String(limit), last: end }));
  }
  return reply.type('application/json').send(JSON.stringify({ repositories }));
}
