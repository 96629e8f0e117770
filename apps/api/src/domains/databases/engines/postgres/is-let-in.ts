import pg from 'pg';

/** Milliseconds for the whole of a log-in. */
const LOGIN_MS = 2500;
/** SQLSTATEs. The server looks at the number of connections only after the password. */
const INVALID_PASSWORD = '28P01';
const TOO_MANY_CONNECTIONS = '53300';

/** Whether the server lets in the user name and password of the address. Rejects where it did not say in time. */
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
    // Nobody waits for this: a server that hangs would never answer.
    void client.end().catch(() => {});
  }
}
