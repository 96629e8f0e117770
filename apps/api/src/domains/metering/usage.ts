import { MAX_PAGE, type Page, type UsageRecord } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';

/** A record's columns as the contract names them. */
export const USAGE_COLUMNS = [
  'id',
  'userId',
  'resourceType',
  'resourceId',
  'amount',
  'cost',
  'hour as timestamp',
] as const;

/** What the owner's resources used, by resource and hour, newest first; costs in cents. */
export function listUsage(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<UsageRecord[]> {
  const all = db
    .selectFrom('usageRecords')
    .where('userId', '=', ownerId)
    .select(USAGE_COLUMNS)
    .orderBy('id', 'desc')
    .limit(limit);
  return (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
}
