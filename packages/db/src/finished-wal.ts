import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type HeldFolder, holdFolder, NotTaken, openPlainFile } from './held-folder.ts';
import { accountOf, homeOf } from './private-cluster.ts';

/** A piece of a cluster's log that will not change any more. */
export interface FinishedWal {
  /** Of the file, lower-case: eight digits each of the timeline, and of the two halves of its place. */
  name: string;
  timeline: number;
  /** Its place in the log, counted in pieces. */
  number: number;
  /** Bytes. */
  size: number;
  /** What is acknowledged before that is in this piece or in those before it. */
  writtenAt: Date;
  bytes: AsyncIterable<Uint8Array>;
}

/** Of all that PostgreSQL numbers in the second half of a place. */
const HALF_OF_PLACE = 2 ** 32;
const SEGMENT = /^[0-9A-F]{24}$/;
const READY = '.ready';
const PIECE = 256 * 1024;

/**
 * Shows each finished piece of a cluster's log that was not taken yet, oldest first, also while the cluster runs. Once
 * `take` resolves, PostgreSQL may reuse the file: what was taken has to outlive a power cut by then. Throws with `take`.
 * A cluster that is being removed has none.
 */
export async function takeFinishedWal(
  root: string,
  name: string,
  take: (wal: FinishedWal) => Promise<void>,
): Promise<void> {
  const home = homeOf(root, name);
  try {
    await takeAll(home, take);
  } catch (error) {
    if (existsSync(home)) throw error;
  }
}

async function takeAll(home: string, take: (wal: FinishedWal) => Promise<void>): Promise<void> {
  const account = accountOf(home);
  await using data = await holdFolder(join(home, 'data'), account);
  await using wal = await holdFolder(data.at('pg_wal'), account);
  await using status = await holdFolder(wal.at('archive_status'), account);
  const marks = (await readdir(status.at('.'))).filter((mark) => mark.endsWith(READY)).sort();
  for (const mark of marks) {
    const file = mark.slice(0, -READY.length);
    // What else is marked tells of other timelines, and of backups that were made: neither is needed.
    if (SEGMENT.test(file)) await takeFile(wal, file, account, take);
    await rename(status.at(mark), status.at(`${file}.done`));
  }
}

async function takeFile(
  folder: HeldFolder,
  file: string,
  account: Parameters<typeof openPlainFile>[1],
  take: (wal: FinishedWal) => Promise<void>,
): Promise<void> {
  try {
    await using handle = await openPlainFile(folder.at(file), account);
    const { size, mtime } = await handle.stat();
    const bytes = handle.createReadStream({ autoClose: false, highWaterMark: PIECE });
    const [timeline = 0, first = 0, second = 0] = [0, 8, 16].map((at) =>
      Number.parseInt(file.slice(at, at + 8), 16),
    );
    const number = first * (HALF_OF_PLACE / size) + second;
    await take({ name: file.toLowerCase(), timeline, number, size, writtenAt: mtime, bytes });
  } catch (error) {
    // It went without its mark: where it is missing is seen by the numbers of the others.
    if (!(error instanceof NotTaken)) throw error;
  }
}
