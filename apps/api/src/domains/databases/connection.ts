import type { DatabaseConnection } from '@nephos/contracts';
import { Earlier, type Once } from '@nephos/contracts/implement';
import type { UserContext } from '../../core/context.ts';
import type { DatabasesParts } from './databases.ts';
import { type DatabaseRow, findAvailable } from './read.ts';
import { intendPassword } from './rotation.ts';
import { credentialsOf } from './sealed-password.ts';
import { asked } from './server-failure.ts';

/** In the place of an address that is not settled yet. */
const UNTOLD: DatabaseConnection = {
  connectionString: '',
  passwordChanged: false,
  pooledConnectionString: null,
  notPooled: '',
};

type ServerParts = Pick<DatabasesParts, 'servers' | 'work' | 'secrets' | 'log'>;

/**
 * The address with the password in it, and whether the server still takes that; who reads it is logged. Throws 404, 409
 * NOT_AVAILABLE and 503.
 */
export async function readConnection(
  ctx: UserContext,
  parts: ServerParts,
  id: string,
): Promise<DatabaseConnection> {
  const row = await findAvailable(ctx.db, ctx.ownerId, id);
  // A change of the password that was cut short comes to its end first: until then, neither is certain.
  const settled = row.nextPassword === null ? row : await parts.work.settlePassword(id);
  const connection = await tell(ctx, parts, settled, 'a connection string was read');
  return { ...connection, passwordChanged: await noticeChange(ctx, parts, settled) };
}

/**
 * From when it resolves, the server accepts the new password alone. No transaction is open while it is told, and what is
 * kept under a key is that this was wanted: a repetition sees to it and gives the address that there is then. Throws 404,
 * 409 NOT_AVAILABLE and 503.
 */
export async function rotatePassword(
  ctx: UserContext,
  parts: ServerParts,
  id: string,
  once: Once<UserContext>,
): Promise<DatabaseConnection | Earlier<DatabaseConnection>> {
  const wanted = await once(async ({ db, ownerId }) => {
    await intendPassword(db, parts, { ownerId, id });
    return UNTOLD;
  });
  const settled = await parts.work.settlePassword(id);
  const connection = await tell(ctx, parts, settled, 'a password was rotated');
  return wanted instanceof Earlier ? new Earlier(connection, wanted.origin) : connection;
}

async function tell(
  { user, requestId }: UserContext,
  { servers, secrets, log }: ServerParts,
  row: DatabaseRow,
  event: string,
): Promise<DatabaseConnection> {
  const engine = servers[row.type];
  const credentials = credentialsOf(secrets, row);
  const connectionString = await asked({ engine, log }, () => engine.connectionString(credentials));
  const pooled = engine.pooled?.(credentials) ?? { reason: '' };
  log.info({ userId: user.id, databaseId: row.id, reqId: requestId }, event);
  return {
    connectionString,
    passwordChanged: row.passwordChanged,
    pooledConnectionString: 'connectionString' in pooled ? pooled.connectionString : null,
    notPooled: 'reason' in pooled ? pooled.reason : '',
  };
}

/**
 * Whether the password was changed at the server, where no server can forbid it to the user: then the one that we keep
 * is refused. Writes down what it finds; where the server does not answer, what was found before still stands.
 */
async function noticeChange(
  { db, ownerId }: UserContext,
  { servers, secrets, log }: ServerParts,
  row: DatabaseRow,
): Promise<boolean> {
  const engine = servers[row.type];
  let passwordChanged = row.passwordChanged;
  try {
    passwordChanged = !(await engine.accepts(credentialsOf(secrets, row)));
  } catch (error) {
    log.warn({ err: error, databaseId: row.id }, 'a database could not be asked about its password');
  }
  if (passwordChanged !== row.passwordChanged) {
    await db
      .updateTable('managedDatabases')
      .set({ passwordChanged })
      .where('ownerId', '=', ownerId)
      .where('id', '=', row.id)
      // A password that was rotated meanwhile is another one, which this answer is not about.
      .where('password', '=', row.password)
      .where('nextPassword', 'is', null)
      .execute();
  }
  return passwordChanged;
}
