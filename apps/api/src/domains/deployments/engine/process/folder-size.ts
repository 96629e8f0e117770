import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createTurns } from './turns.ts';

const run = promisify(execFile);

/** Many apps that start together would have the whole disk read at once. */
const turns = createTurns(2);

/**
 * Bytes on disk below some folders; what disappears meanwhile is not counted. With `unpacked`, holes of files count as if
 * they were written.
 */
export async function folderSize(folders: string[], { unpacked = false } = {}): Promise<number> {
  using _turn = await turns.take();
  const args = ['-skxc', ...(unpacked ? ['--apparent-size'] : []), '--', ...folders];
  // du ends with 1 when a file vanished, and has printed the total nevertheless.
  const output = await run('du', args, { env: { LC_ALL: 'C' }, maxBuffer: 16 * 1024 ** 2 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  );
  return Number(/^(\d+)\ttotal$/m.exec(output)?.[1] ?? 0) * 1024;
}
