import type { contract } from '@nephos/contracts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { Domain } from '../domain.ts';
import { addExtension, listExtensions, removeExtension } from './extensions.ts';

/** What can be added to people's PostgreSQL databases. */
export function createDatabaseExtensions(
  parts: Pick<DatabasesParts, 'servers' | 'log'>,
): Domain<typeof contract.databaseExtensions> {
  return {
    handlers: {
      list: ({ ctx, input }) => listExtensions(ctx, parts, input.id),
      add: ({ ctx, input, once }) => addExtension(ctx, parts, input, once),
      remove: ({ ctx, input, once }) => removeExtension(ctx, parts, input, once),
    },
  };
}
