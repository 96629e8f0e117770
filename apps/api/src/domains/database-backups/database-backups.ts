import type { contract, DatabasePast } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import { findDatabase } from '../databases/read.ts';
import type { Domain } from '../domain.ts';

const NOT_YET = 'Nothing is kept of databases of this kind.';

/** The past of people's databases: what is kept of it, and what is brought back. */
export function createDatabaseBackups(
  _platform: object,
  _databases: DatabasesParts,
): Domain<typeof contract.databaseBackups> {
  const refused = async ({ ctx, input }: { ctx: UserContext; input: { id: string } }) => {
    await findDatabase(ctx.db, ctx.ownerId, input.id);
    throw conflict('NO_BACKUPS', NOT_YET);
  };
  return {
    handlers: {
      async get({ ctx, input }): Promise<DatabasePast> {
        const { type } = await findDatabase(ctx.db, ctx.ownerId, input.id);
        return {
          unavailable: NOT_YET,
          kind: type === 'postgresql' ? 'moment' : 'backup',
          ...{
            from: null,
            until: null,
            size: 0,
            keepDays: 7,
            hour: 0,
            backups: [],
            lastProof: null,
            proving: false,
          },
        };
      },
      update: refused,
      start: refused,
      prove: refused,
      restore: refused,
      swap: refused,
    },
  };
}
