import type { Database } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import { isStorable } from '../../../http/plain-json.ts';
import { existing, type RegistryCall } from './call.ts';
import { OCI_INDEX } from './manifest.ts';
import { badRequest } from './registry-error.ts';

/** Entries of one answer at most. */
const PAGE_MAX = 1000;

/** `?n`: entries of a page, at most 1,000. */
export function readLimit(query: URLSearchParams): number {
  const n = query.get('n');
  if (n === null) return PAGE_MAX;
  if (!/^\d+$/.test(n)) throw badRequest('UNSUPPORTED', 'n must be 0 or more.');
  return Math.min(Number(n), PAGE_MAX);
}

/** `?last`: the entry after which a page begins. */
export function readLast(query: URLSearchParams): string {
  const last = query.get('last') ?? '';
  if (!isStorable(last)) throw badRequest('UNSUPPORTED', 'last must be an entry of the list.');
  return last;
}

/** A `Link` to the next page (RFC 8288). */
export function nextLink(path: string, parameters: Record<string, string>): string {
  return `<${path}?${new URLSearchParams(parameters)}>; rel="next"`;
}

/** `GET …/tags/list`: the tags that name something, in the order of their bytes. */
export async function listTags(call: RegistryCall): Promise<FastifyReply> {
  const { deps, reply, name, query } = call;
  const { id } = existing(call);
  const limit = readLimit(query);
  const rows = await deps.db
    .selectFrom('containerImages')
    .select('tag')
    .where('repositoryId', '=', id)
    .where('digest', 'is not', null)
    .where('tag', '>', readLast(query))
    .orderBy('tag')
    .limit(limit + 1)
    .execute();
  const tags = rows.slice(0, limit).map(({ tag }) => tag);
  const last = tags.at(-1);
  if (rows.length > limit && last !== undefined) {
    reply.header('link', nextLink(`/v2/${name}/tags/list`, { n: String(limit), last }));
  }
  return reply.type('application/json').send(JSON.stringify({ name, tags }));
}

/** The manifests whose subject this is, as descriptors, in the order of their digests. */
export async function readReferrers(
  db: Kysely<Database>,
  repositoryId: string,
  {
    subject,
    artifactType,
    after = '',
    limit = PAGE_MAX,
  }: {
    subject: string;
    artifactType?: string | null;
    after?: string;
    limit?: number;
  },
) {
  const all = db
    .selectFrom('containerManifests')
    .select(['digest', 'mediaType', 'artifactType', 'size', 'annotations'])
    .where('repositoryId', '=', repositoryId)
    .where('subject', '=', subject)
    .where('digest', '>', after)
    .orderBy('digest')
    .limit(limit);
  const rows = await (artifactType ? all.where('artifactType', '=', artifactType) : all).execute();
  return rows.map(({ annotations, ...row }) => ({
    ...row,
    annotations: JSON.parse(annotations) as Record<string, string>,
  }));
}

/** `GET …/referrers/<digest>`: an index, empty where there are none, also of what is not there. */
export async function listReferrers(call: RegistryCall, digest: string): Promise<FastifyReply> {
  const { deps, reply, name, query, repository } = call;
  const artifactType = query.get('artifactType');
  if (artifactType) {
    if (!isStorable(artifactType)) throw badRequest('UNSUPPORTED', 'artifactType must be a media type.');
    reply.header('oci-filters-applied', 'artifactType');
  }
  const rows = repository
    ? await readReferrers(deps.db, repository.id, {
        subject: digest,
        artifactType,
        after: readLast(query),
        limit: PAGE_MAX + 1,
      })
    : [];
  const last = rows.length > PAGE_MAX ? rows[PAGE_MAX - 1] : undefined;
  if (last) {
    const parameters = { ...(artifactType && { artifactType }), last: last.digest };
    reply.header('link', nextLink(`/v2/${name}/referrers/${digest}`, parameters));
  }
  const manifests = rows.slice(0, PAGE_MAX).map(({ annotations, artifactType: type, ...descriptor }) => ({
    ...descriptor,
    ...(type && { artifactType: type }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }));
  const index = JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests });
  // It is sent as bytes: to a text Fastify would add a charset, which is no part of this media type.
  return reply.type(OCI_INDEX).send(Buffer.from(index));
}
