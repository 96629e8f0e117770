import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type ChangeFollowerParts, createChangeFollower } from './change-follower.ts';

/** A follower of keys whose reads are written down; `fail` makes the next one fail, `hold` wait. */
function followed() {
  const reads: string[] = [];
  const now = { fail: false, hold: Promise.resolve() };
  let tell: (key: string) => void = () => {};
  let miss = () => {};
  const notifications: ChangeFollowerParts['notifications'] = {
    subscribe(_channel, take, missed = () => {}) {
      [tell, miss] = [take, missed];
      return () => reads.push('unsubscribed');
    },
  };
  const read = async (what: string) => {
    reads.push(what);
    await now.hold;
    if (!now.fail) return;
    now.fail = false;
    throw new Error('away');
  };
  const follower = createChangeFollower({
    ...{ notifications, channel: 'changed', failure: 'not read', log: pino({ level: 'silent' }) },
    readAll: () => read('all'),
    readSome: (keys) => read(keys.join()),
  });
  return { ...follower, reads, now, tell: (key: string) => tell(key), miss: () => miss() };
}

test('reads all, then what changed, each burst at once, and all again where something was missed', async () => {
  const { start, stop, reads, now, tell, miss } = followed();
  await start();
  const held = Promise.withResolvers<void>();
  now.hold = held.promise;
  for (const key of ['a', 'b', 'b', 'c']) tell(key);
  await expect.poll(() => reads).toEqual(['all', 'a']);
  held.resolve();
  await expect.poll(() => reads).toEqual(['all', 'a', 'b,c']);
  miss();
  await expect.poll(() => reads.at(-1)).toBe('all');
  await stop();
  tell('d');
  expect(reads).toEqual(['all', 'a', 'b,c', 'all', 'unsubscribed']);
});

test('reads all again where it could not, and what was to be read', async () => {
  const { start, stop, reads, now, tell } = followed();
  now.fail = true;
  await start();
  expect(reads).toEqual(['all']);
  await expect.poll(() => reads).toEqual(['all', 'all']);
  now.fail = true;
  tell('a');
  await expect.poll(() => reads).toEqual(['all', 'all', 'a', 'all', 'a']);
  await stop();
});
