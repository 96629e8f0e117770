import pg from 'pg';

/** Milliseconds for the whole of a log-in. */
const LOGIN_MS = 2500;
/** SQLSTATEs: the password is wrong; there are as many connections as there may be, which is looked at after it. */
const INVALID_PASSWORD = '28P01';
const TOO_MANY_CONNECTIONS = '53300';

/** Whether the address, with user name and password, is let in. Rejects where that was not told in time. */
export async function isLetIn(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: LOGIN_MS,
    application_name: 'nephos',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code === INVALID_PASSWORD) return false;
    if (code === TOO_MANY_CONNECTIONS) return true;
    throw error;
  } finally {
    // Not waited for: a server that hangs would be.
    void client.end().catch(() => {});
  }
}
