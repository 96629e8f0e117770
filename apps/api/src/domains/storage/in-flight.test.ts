import { expect, it } from 'vitest';
import type { StorageQuota } from '../plans/storage-quota.ts';
import { whileThereIsRoom } from './in-flight.ts';

const quota = {
  plan: { name: 'Starter', storage: 100, set: { storage: null } },
  ...{ used: 40, unfinished: 0, trash: 0 },
} as unknown as StorageQuota;

async function* pieces() {
  for (;;) yield new Uint8Array(20);
}

it('lets bodies in that fit together, each of which would fit alone, and counts none that has ended', async () => {
  const begin = (ownerId: string) => whileThereIsRoom(pieces(), { ownerId, quota });
  const [one, other, stranger] = [begin('ada'), begin('ada'), begin('bob')];
  for (const body of [one, other, one]) await body.next();
  await expect(other.next()).rejects.toMatchObject({ reason: 'QUOTA_EXCEEDED' });
  for (let piece = 0; piece < 3; piece += 1) expect((await stranger.next()).done).toBe(false);
  // What the refused one had is free again.
  expect((await one.next()).done).toBe(false);
  await expect(one.next()).rejects.toMatchObject({ reason: 'QUOTA_EXCEEDED' });
  await stranger.return(undefined);
  const last = begin('ada');
  for (let piece = 0; piece < 3; piece += 1) await last.next();
  await last.return(undefined);
});
