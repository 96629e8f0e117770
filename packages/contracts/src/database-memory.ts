import { z } from 'zod';
import { DATABASE_EVICTIONS, MAX_MEMORY_LIMIT, MIN_MEMORY_LIMIT } from './constants.ts';
import { mutation, query } from './kit.ts';
import { ById } from './page.ts';

const LIMIT = `Memory must be a whole number of MB from ${MIN_MEMORY_LIMIT} to ${MAX_MEMORY_LIMIT}.`;

/** What a database that is kept in memory may take. */
export const DatabaseMemory = z.object({
  /** MB for keys and values. */
  limit: z.int(LIMIT).min(MIN_MEMORY_LIMIT, LIMIT).max(MAX_MEMORY_LIMIT, LIMIT),
  /** What happens when more is to be stored: it is refused, or others are removed. In the words of Redis. */
  eviction: z.enum(DATABASE_EVICTIONS, `Eviction must be one of ${DATABASE_EVICTIONS.join(', ')}.`),
});
export type DatabaseMemory = z.output<typeof DatabaseMemory>;

const DatabaseMemoryUpdate = ById.extend(DatabaseMemory.shape);

const OTHER_TYPE = 'The database is not kept in memory, or shares its server with others';

export const databaseMemory = {
  memory: query({
    summary: 'How much memory a Redis database may take, and what happens when it is full',
    route: 'GET /api/databases/{id}/memory',
    input: ById,
    output: DatabaseMemory,
    refusals: { 409: OTHER_TYPE },
  }),
  setMemory: mutation({
    summary: 'Set how much memory a Redis database may take, and what happens when it is full',
    route: 'PUT /api/databases/{id}/memory',
    // The database's server is told outside of the transaction in which the key is kept.
    keepsKeys: true,
    perMinute: 60,
    input: DatabaseMemoryUpdate,
    output: DatabaseMemory,
    refusals: { 409: `${OTHER_TYPE}, or holds more` },
  }),
};
