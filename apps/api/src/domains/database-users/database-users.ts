import type { contract } from '@nephos/contracts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { Domain } from '../domain.ts';
import { createUser, listUsers, removeUser, rotateUserPassword } from './users.ts';

/** Further users of people's PostgreSQL databases. */
export function createDatabaseUsers(
  parts: Pick<DatabasesParts, 'servers' | 'secrets' | 'log'>,
): Domain<typeof contract.databaseUsers> {
  return {
    handlers: {
      list: ({ ctx, input }) => listUsers(ctx, input.id),
      create: ({ ctx, input, once }) => createUser(ctx, parts, input, once),
      rotatePassword: ({ ctx, input, once }) => rotateUserPassword(ctx, parts, input, once),
      remove: ({ ctx, input, once }) => removeUser(ctx, parts, input, once),
    },
  };
}
