import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runsAsRoot } from '@nephos/db';
import { DumpRefused } from './dump-refused.ts';

/** Where Debian's packages put the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';
const SYSTEM_FOLDERS = ['/usr/bin', '/usr/local/bin'];
/** Accounts beyond all others: an archive that misuses the program has nothing there to misuse. */
const FIRST_ACCOUNT = 2_000_000_000;
const ACCOUNTS = 100_000_000;
/** What it says at most of why it failed. */
const SAID = 500;

/** The newest `pg_restore` of this machine; undefined where there is none. */
export function findPgRestore(path = ''): string | undefined {
  const folders = [...path.split(delimiter).filter((folder) => folder.startsWith('/')), ...SYSTEM_FOLDERS];
  return [...versions().map((version) => join(VERSIONS, version, 'bin')), ...folders]
    .map((folder) => join(folder, 'pg_restore'))
    .find(isExecutable);
}

function versions(): string[] {
  try {
    return readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one));
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The plain SQL of a dump in PostgreSQL's custom format, which comes to `program` by its standard input alone. Throws
 * `DumpRefused` in the program's own words.
 */
export async function* readArchive(
  program: string,
  archive: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const uid = FIRST_ACCOUNT + randomInt(ACCOUNTS);
  const child = spawn(program, ['--file=-', '--no-password'], {
    ...(runsAsRoot() && { uid, gid: uid }),
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: '/',
    env: { LC_ALL: 'C.UTF-8' },
    signal,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, SAID);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  ended.catch(() => {});
  const feeding = pipeline(archive, child.stdin);
  feeding.catch(() => {});
  try {
    yield* child.stdout as Readable;
    const code = await ended;
    // Where the archive itself could not be read, that is why.
    await feeding.catch((error) => {
      if (!isBrokenPipe(error)) throw error;
    });
    if (code !== 0) throw new DumpRefused(`The dump could not be read: ${wordsOf(said)}`);
  } finally {
    child.kill('SIGKILL');
  }
}

function isBrokenPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
  );
}

function wordsOf(said: string): string {
  const [first = ''] = said.split('\n');
  return first.replace(/^pg_restore: (error: )?/, '').trim() || 'pg_restore ended early.';
}
