import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';

/** A request that fails asks once more, whether the server is to blame: twice this, at the most. */
const CONNECT_MS = 2400;
const STATEMENT_MS = 20_000;

/** A session with the privileges to make databases and users. */
export interface Administrator {
  /** Runs one statement; its parts are escaped by the caller. */
  run(statement: string): Promise<void>;
  /** The rows of a query whose `?` stand for `values`. */
  rows(query: string, values: readonly (string | number)[]): Promise<RowDataPacket[]>;
}

/** A refusal of the server, in its own words. */
export class MysqlRefusal extends Error {
  override readonly name = 'MysqlRefusal';
  readonly errno: number | undefined;

  constructor(message: string, errno: number | undefined) {
    super(message);
    this.errno = errno;
  }
}

/**
 * Does `work` on a connection of its own to the server at `url`. Rejects within 2.4 s when it cannot be reached. What
 * is thrown tells nothing of the statements, since those carry passwords.
 */
export async function asAdministrator<T>(
  url: string,
  work: (admin: Administrator) => Promise<T>,
): Promise<T> {
  const connection = await connect(url);
  try {
    return await work(administratorOn(connection));
  } finally {
    connection.destroy();
  }
}

/** Error numbers. The server looks at the number of sessions only after the password. */
const ACCESS_DENIED = 1045;
const TOO_MANY_SESSIONS = [1203, 1226];

/** Whether the server lets in the user name and password of `url`. Rejects where it did not say in time. */
export async function isLetIn(url: string): Promise<boolean> {
  try {
    (await connect(url)).destroy();
    return true;
  } catch (error) {
    const errno = error instanceof MysqlRefusal ? error.errno : undefined;
    if (errno === ACCESS_DENIED) return false;
    if (errno !== undefined && TOO_MANY_SESSIONS.includes(errno)) return true;
    throw error;
  }
}

async function connect(url: string): Promise<Connection> {
  const { host } = new URL(url);
  const connection = await mysql
    .createConnection({ uri: url, connectTimeout: CONNECT_MS, charset: 'utf8mb4', supportBigNumbers: true })
    .catch((error: unknown) => {
      throw refusalOf(error, `MySQL at ${host} cannot be used`);
    });
  // The statement under way fails as well, and tells of it.
  connection.on('error', () => {});
  return connection;
}

function administratorOn(connection: Connection): Administrator {
  const query = async (sql: string, values: readonly (string | number)[] = []) => {
    try {
      const [result] = await connection.query<RowDataPacket[]>({
        sql,
        values: [...values],
        timeout: STATEMENT_MS,
      });
      return result;
    } catch (error) {
      throw refusalOf(error, 'MySQL refused');
    }
  };
  return {
    async run(statement) {
      await query(statement);
    },
    rows: query,
  };
}

/** Without the error itself, which holds the statement. */
function refusalOf(error: unknown, what: string): MysqlRefusal {
  const message = error instanceof Error ? error.message : String(error);
  const errno = error instanceof Error && 'errno' in error ? error.errno : undefined;
  // After the word `near`, a syntax error repeats a part of the statement.
  return new MysqlRefusal(
    `${what}: ${message.replace(/ near '.*$/s, '')}`,
    typeof errno === 'number' ? errno : undefined,
  );
}
