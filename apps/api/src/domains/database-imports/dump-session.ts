import { once } from 'node:events';
import pg from 'pg';
import { DumpRefused } from './dump-refused.ts';

/** A session into which a dump is run, statement by statement, in one transaction. */
export interface DumpSession {
  /** Runs a statement; where rows follow, resolves once the server takes them, or has ended it without any. */
  run(sql: string, takesRows?: boolean): Promise<void>;
  /** Rows of the statement that takes them; resolves once there is room for more. */
  rows(bytes: Buffer): Promise<void>;
  rowsEnd(): Promise<void>;
  /** The first column of the rows of a question of ours. */
  ask(sql: string): Promise<string[]>;
  /** Leaves at once: the server undoes what is not committed. */
  leave(): void;
}

const CONNECT_MS = 10_000;
/** Bytes of the answer to a statement: a value of PostgreSQL's may have a gigabyte. */
const MAX_ANSWER = 16 * 1024 * 1024;
/** What a server of people's own may have set against long work; whether we are still there is looked at each second. */
const PATIENT = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '30s'`;
const NOTICING = "set client_connection_check_interval = '1s'";

/** What the driver's typings leave out. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(bytes: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** What the driver tells a query, as the protocol's messages come: answers are thrown away as they come. */
class DumpStatement implements pg.Submittable {
  readonly #sql: string;
  readonly #takesRows: boolean;
  readonly #ended = Promise.withResolvers<void>();
  readonly #begun = Promise.withResolvers<void>();

  constructor(sql: string, takesRows: boolean) {
    this.#sql = sql;
    this.#takesRows = takesRows;
    this.ended.catch(() => {});
    this.begun.catch(() => {});
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    if (this.#takesRows) this.#begun.resolve();
    else connection.sendCopyFail('no rows follow');
  }

  handleError(error: Error): void {
    this.#begun.reject(error);
    this.#ended.reject(error);
  }

  handleReadyForQuery(): void {
    this.#begun.resolve();
    this.#ended.resolve();
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCopyData(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

/** Connects to an address. Rejects with the driver's own errors. */
export async function openDumpSession(url: string): Promise<DumpSession> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'nephos import',
  });
  client.on('error', () => {});
  await client.connect();
  // As its documentation has it for queries of one's own.
  const connection = client.connection as CopyConnection;
  const { stream } = connection;
  let copying: DumpStatement | undefined;
  const leave = () => void stream.destroy();
  let received = 0;
  let refusal: DumpRefused | undefined;
  // The driver keeps a message until all of it is there.
  stream.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received <= MAX_ANSWER) return;
    refusal = new DumpRefused('A statement of the dump answers with more than 16 MB.');
    leave();
  });
  async function answered<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw refusal ?? error;
    }
  }
  try {
    await client.query(PATIENT);
    // Servers before PostgreSQL 14 do not know it, and go on with a statement whose client is gone.
    await client.query(NOTICING).catch(() => {});
  } catch (error) {
    leave();
    throw error;
  }
  return {
    async run(sql, takesRows = false) {
      const statement = new DumpStatement(sql, takesRows);
      received = 0;
      client.query(statement);
      copying = takesRows ? statement : undefined;
      await answered(takesRows ? statement.begun : statement.ended);
    },
    async rows(bytes) {
      connection.sendCopyFromChunk(bytes);
      if (!stream.writableNeedDrain) return;
      const waiting = new AbortController();
      const drained = once(stream, 'drain', { signal: waiting.signal });
      drained.catch(() => {});
      // A server that refuses a row says so meanwhile.
      await answered(Promise.race([drained, copying?.ended])).finally(() => waiting.abort());
    },
    async rowsEnd() {
      connection.endCopyFrom();
      await answered(Promise.resolve(copying?.ended));
      copying = undefined;
    },
    async ask(sql) {
      const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
      return rows.map(([value]) => String(value));
    },
    leave,
  };
}
