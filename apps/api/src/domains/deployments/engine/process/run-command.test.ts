import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { pipeToLog, type spawnCommand } from './run-command.ts';

it('lets what writes much wait while everybody else gets a turn, and loses none of it', async () => {
  const [stdout, stderr, seen] = [new PassThrough(), new PassThrough(), new PassThrough()];
  // Nothing but its output is read of the process.
  const child = { stdout, stderr } as unknown as ReturnType<typeof spawnCommand>;
  const waits: boolean[] = [];
  pipeToLog(child, {
    write(_, piece) {
      for (const until = performance.now() + 5; performance.now() < until; );
      seen.write(piece);
      setImmediate(() => waits.push(stdout.isPaused()));
    },
  });
  for (const piece of ['one ', 'two ', 'three']) stdout.write(piece);
  stdout.end().once('end', () => setImmediate(() => seen.end()));
  expect(await text(seen)).toBe('one two three');
  expect(waits[0]).toBe(true);
});
