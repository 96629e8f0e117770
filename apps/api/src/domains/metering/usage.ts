import { MAX_PAGE, type Page, type UsageRecord } from '@nephos/contracts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';

/** A record's columns as the contract names them. */
export const USAGE_COLUMNS = [
  'usageRecords.id',
  'usageRecords.userId',
  'usageRecords.resourceType',
  'usageRecords.resourceId',
  'usageRecords.amount',
  'usageRecords.cost',
  'usageRecords.hour as timestamp',
] as const;

/** What the owner's resources used, by resource and hour, newest first; costs in cents. */
export function listUsage(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<UsageRecord[]> {
  return db
    .selectFrom('usageRecords')
    .where('usageRecords.userId', '=', ownerId)
    .$if(cursor !== undefined, (all) => all.where('usageRecords.id', '<', cursor ?? ''))
    .leftJoin('projects', 'projects.id', 'usageRecords.resourceId')
    .leftJoin('managedDatabases', 'managedDatabases.id', 'usageRecords.resourceId')
    .leftJoin('containerRepositories', 'containerRepositories.id', 'usageRecords.resourceId')
    .leftJoin('formerResources', 'formerResources.id', 'usageRecords.resourceId')
    .select(USAGE_COLUMNS)
    .select(({ fn }) => [
      fn
        .coalesce(
          'projects.name',
          'managedDatabases.name',
          'containerRepositories.name',
          'formerResources.name',
        )
        .as('resourceName'),
      IS_DELETED.as('resourceDeleted'),
    ])
    .orderBy('usageRecords.id', 'desc')
    .limit(limit)
    .execute();
}

const IS_DELETED = sql<boolean>`
  usage_records.resource_id is not null
    and coalesce(projects.id, managed_databases.id, container_repositories.id) is null`;
