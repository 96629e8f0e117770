import type { DatabaseConnection } from '@nephos/contracts';
import type { UserContext } from '../../context.ts';
import { type DatabaseRow, findAvailable } from './read.ts';
import { credentialsOf } from './sealed-password.ts';
import { asked } from './server-failure.ts';

/** The address with the password in it; who reads it is logged. Throws 404, 409 NOT_AVAILABLE and 503. */
export async function readConnection(ctx: UserContext, id: string): Promise<DatabaseConnection> {
  const row = await findAvailable(ctx.db, ctx.user.id, id);
  // A change of the password that was cut short comes to its end first: until then, neither is certain.
  const settled = row.nextPassword === null ? row : await ctx.databases.settlePassword(id);
  return tell(ctx, settled, 'a connection string was read');
}

/** From when it resolves, the server accepts the new password alone. Throws 404, 409 NOT_AVAILABLE and 503. */
export async function rotatePassword(ctx: UserContext, id: string): Promise<DatabaseConnection> {
  const row = await ctx.databases.rotatePassword({ ownerId: ctx.user.id, id });
  return tell(ctx, row, 'a password was rotated');
}

async function tell(
  { user, databaseEngines, secrets, log, requestId }: UserContext,
  row: DatabaseRow,
  event: string,
): Promise<DatabaseConnection> {
  const engine = databaseEngines[row.type];
  const connectionString = await asked({ engine, log }, () =>
    engine.connectionString(credentialsOf(secrets, row)),
  );
  log.info({ userId: user.id, databaseId: row.id, reqId: requestId }, event);
  return { connectionString };
}
