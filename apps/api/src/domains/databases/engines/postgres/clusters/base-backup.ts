import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';

/** A place in a server's log. */
export interface WalPlace {
  timeline: number;
  /** Counted in pieces of the log, as `FinishedWal` is. */
  number: number;
}

/** A backup of a whole server, as it is being made. */
export interface BaseBackup {
  /** Where its log begins that is needed with it. */
  start: WalPlace;
  /** A tar archive of its folder, without its log unless that was asked for. It ends when all is there, and fails when that cannot be had. */
  archive: Readable;
  /** Where the log ends that is needed with it; resolves with the end of `archive`. */
  end: Promise<WalPlace>;
}

/** Of PostgreSQL's messages within its stream of archives: a piece of one. */
const PIECE = 'd'.charCodeAt(0);
/** Its commands are known in capitals only. */
const OPTIONS = "LABEL 'nephos', CHECKPOINT 'fast', WAIT false, MANIFEST 'no'";

/** What the driver hands to a query beside what its typings tell. */
class ArchiveQuery extends pg.Query {
  readonly #take: (message: Buffer) => void;

  constructor(text: string, take: (message: Buffer) => void) {
    super(text);
    this.#take = take;
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#take(chunk);
  }
}

/**
 * Begins a backup of the server at an administrator's address, over its replication protocol. Whoever began it reads the
 * archive to its end, or destroys it. `withLog`: what is needed of its log is in the archive.
 */
export async function beginBaseBackup(address: string, { withLog = false } = {}): Promise<BaseBackup> {
  const url = new URL(address);
  url.searchParams.set('replication', 'true');
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ wal_segment_size: string }>('SHOW wal_segment_size');
    // For as long as this connection lasts, the server keeps what is written from here on.
    if (withLog) {
      const slot = `nephos_${randomBytes(6).toString('hex')}`;
      await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    }
    const options = withLog ? `${OPTIONS}, WAL` : OPTIONS;
    return await start(client, options, bytesOf(rows[0]?.wal_segment_size ?? ''));
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function start(client: pg.Client, options: string, pieceSize: number): Promise<BaseBackup> {
  const { stream } = client.connection;
  const archive = new Readable({
    read: () => void stream.resume(),
    destroy(error, done) {
      void client.end().catch(() => {});
      stream.destroy();
      done(error);
    },
  });
  // It may fail before anybody reads it: who does then is told, and nobody else has to be.
  archive.on('error', () => {});
  const query = new ArchiveQuery(`BASE_BACKUP (${options})`, (message) => {
    // The driver uses its buffer again.
    if (message[0] === PIECE && !archive.push(Buffer.from(message.subarray(1)))) stream.pause();
  });
  const begun = Promise.withResolvers<WalPlace>();
  const ended = Promise.withResolvers<WalPlace>();
  ended.promise.catch(() => {});
  let last: WalPlace | undefined;
  const failed = (error: Error) => {
    begun.reject(error);
    ended.reject(error);
    archive.destroy(error);
  };
  query.on('row', (row: { recptr?: string; tli?: string }) => {
    // Between the two there is a table of other folders, of which there are none.
    if (row.recptr === undefined) return;
    last = { timeline: Number(row.tli), number: pieceOf(row.recptr, pieceSize, last !== undefined) };
    begun.resolve(last);
  });
  query.on('error', failed);
  query.on('end', () => {
    if (last) ended.resolve(last);
    archive.push(null);
  });
  client.on('end', () => failed(new Error('The server ended while it was backed up.')));
  client.query(query);
  return { start: await begun.promise, archive, end: ended.promise };
}

/** The piece in which a place like `1/6A000028` lies; for an end, that of the last byte before it. */
function pieceOf(place: string, size: number, isEnd: boolean): number {
  const [high = '', low = ''] = place.split('/');
  const byte = Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
  return Math.floor((isEnd ? byte - 1 : byte) / size);
}

function bytesOf(text: string): number {
  const [, count, unit] = /^(\d+)(MB|GB)$/.exec(text) ?? [];
  if (!count) throw new Error(`PostgreSQL gave ${text} for the size of a piece of its log.`);
  return Number(count) * (unit === 'GB' ? 1024 : 1) * 1024 * 1024;
}
