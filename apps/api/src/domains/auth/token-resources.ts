import type { AccessToken, TokenResource } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { invalid } from '../../core/errors.ts';

/** What can be bound to, and what such things are called. */
const THINGS = {
  project: { table: 'projects', name: 'name' },
  bucket: { table: 'buckets', name: 'name' },
  repository: { table: 'containerRepositories', name: 'name' },
  zone: { table: 'dnsZones', name: 'domain' },
  database: { table: 'managedDatabases', name: 'name' },
} as const;

/** What a token is bound to, or null. */
export const tokenResource = sql<TokenResource | null>`case
  when resource_kind is not null then jsonb_build_object('kind', resource_kind, 'id', resource_id) end`.as(
  'resource',
);

const names = sql.join(
  Object.entries(THINGS).map(
    ([kind, { table, name }]) =>
      sql`when ${sql.lit(kind)} then (select thing.${sql.ref(name)} from ${sql.table(table)} thing
        where thing.id = access_tokens.resource_id and thing.owner_id = access_tokens.workspace_id)`,
  ),
  sql` `,
);

/** The same with the thing's name, for people. */
export const namedResource = sql<AccessToken['resource']>`case
  when resource_kind is not null then jsonb_build_object(
    'kind', resource_kind, 'id', resource_id, 'name', case resource_kind ${names} end) end`.as('resource');

/** Throws 400 for a thing that the workspace does not have. */
export async function assertResource(
  trx: Kysely<Database>,
  workspaceId: string,
  { kind, id }: TokenResource,
): Promise<void> {
  const thing = await trx
    .selectFrom(THINGS[kind].table)
    .select('id')
    .where('ownerId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (thing) return;
  const message = `There is no such ${kind} in this workspace.`;
  throw invalid(message, [{ path: 'resource', message }]);
}
