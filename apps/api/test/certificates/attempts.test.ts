import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  countAttempt,
  countSuccess,
  type Request,
  waitFor,
} from '../../src/domains/certificates/attempts.ts';
import { AuthorityProblem } from '../../src/domains/certificates/authority-problem.ts';
import { holdOthers } from '../../src/domains/certificates/holds.ts';
import { createWorld, type World } from '../world.ts';

const DIRECTORY = 'https://authority.test/dir';
const STAGING = 'https://staging.authority.test/dir';
const HOUR = 3600;
const DAY = 24 * HOUR;

let world: World;
let ownerId: string;

beforeAll(async () => {
  world = await createWorld();
  ownerId = (await world.as('Ada')).user.id;
});
afterEach(async () => {
  await world.deps.db.deleteFrom('acmeAttempts').execute();
  await world.deps.db.deleteFrom('acmeHolds').execute();
});
afterAll(() => world.close());

const request = (name: string, more: Partial<Request> = {}): Request => ({
  ...{ ownerId, name, directory: DIRECTORY, hasOne: false, renews: false },
  ...more,
});

/** Attempts that were begun so many seconds ago; of failures, so long that they have failed. */
async function attempted(
  names: readonly string[],
  { succeeded = true, ago = HOUR, ...more }: Partial<Request> & { succeeded?: boolean; ago?: number } = {},
): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const id = await countAttempt(world.deps.db, request(name, more));
      if (succeeded) await countSuccess(world.deps.db, id);
      const beganAt = sql<string>`began_at - ${ago} * interval '1 second'`;
      await world.deps.db.updateTable('acmeAttempts').set({ beganAt }).where('id', '=', id).execute();
    }),
  );
}

/** Seconds; 0: none. */
async function waits(name: string, more: Partial<Request> = {}): Promise<number> {
  const wait = await waitFor(world.deps.db, request(name, more));
  return wait ? Math.round((Date.parse(wait.until) - Date.now()) / 1000) : 0;
}

const names = (count: number, domain: string) =>
  Array.from({ length: count }, (_, index) => `${index}.${domain}`);

describe('an authority’s limits', () => {
  it('for a name are counted for the authority that was asked', async () => {
    await attempted(Array(4).fill('shop.example.com'), { succeeded: false, ago: 60, directory: STAGING });
    expect(await waits('shop.example.com')).toBe(0);
    expect(await waits('shop.example.com', { directory: STAGING })).toBeCloseTo(HOUR - 60, -1);
    expect(await waits('www.example.com', { directory: STAGING })).toBe(0);
  });

  it('for a name heed attempts of which the authority is not known', async () => {
    await attempted(Array(4).fill('shop.example.com'), { succeeded: false, ago: 60, directory: '' });
    expect(await waits('shop.example.com')).toBeGreaterThan(0);
  });

  it('for a registered domain are those of all its names and owners, and leave some to the server', async () => {
    await attempted(names(44, 'example.co.uk'), { ownerId: null, ago: 2 * DAY });
    await attempted(names(9, 'other.co.uk'));
    await attempted(names(20, 'example.co.uk'), { renews: true });
    await attempted(names(9, 'failed.example.co.uk'), { succeeded: false });
    expect(await waits('shop.example.co.uk')).toBe(0);
    await attempted(['www.example.co.uk']);
    expect(await waits('shop.example.co.uk')).toBeCloseTo(5 * DAY, -1);
    expect(await waits('*.deep.example.co.uk')).toBeCloseTo(5 * DAY, -1);
    expect(await waits('shop.other.co.uk')).toBe(0);
    expect(await waits('shop.example.co.uk', { directory: STAGING })).toBe(0);
    expect(await waits('shop.example.co.uk', { hasOne: true })).toBeGreaterThan(0);
    expect(await waits('7.example.co.uk', { hasOne: true, renews: true })).toBe(0);
    expect(await waits('console.example.co.uk', { ownerId: null })).toBe(0);
    await attempted(names(4, 'new.example.co.uk'));
    expect(await waits('console.example.co.uk', { ownerId: null })).toBeGreaterThan(0);
  });

  it('for a registered domain count what is under way', async () => {
    await attempted(names(45, 'example.com'), { succeeded: false, ago: 60, ownerId: null });
    expect(await waits('shop.example.com')).toBeCloseTo(7 * DAY - 60, -1);
  });
});

describe('what an authority holds back', () => {
  const limit = (message: string, retryAfter = 2 * DAY) =>
    holdOthers(
      world.deps.db,
      DIRECTORY,
      'shop.example.com',
      new AuthorityProblem(message, { type: 'rateLimited', retryAfter }),
    );

  it('of an account holds all names there, a day at the most, in its words', async () => {
    await limit('too many new orders (300) from this account');
    expect(await waits('www.example.org', { hasOne: true, renews: true })).toBeCloseTo(DAY, -1);
    expect(await waits('console.example.net', { ownerId: null })).toBeCloseTo(DAY, -1);
    expect(await waits('www.example.org', { directory: STAGING })).toBe(0);
    expect(await waitFor(world.deps.db, request('www.example.org'))).toMatchObject({
      reason: 'too many new orders (300) from this account',
    });
  });

  it('of a registered domain holds its names alone', async () => {
    await limit('too many certificates (50) already issued for "example.com"');
    expect(await waits('www.example.com')).toBeCloseTo(2 * DAY, -1);
    expect(await waits('www.example.org')).toBe(0);
    await limit('too many certificates (50) already issued for "example.com"', HOUR);
    expect(await waits('www.example.com')).toBeCloseTo(HOUR, -1);
  });

  it('of a name holds no other', async () => {
    await limit('too many failed authorizations (5) for "shop.example.com"');
    expect(await waits('www.example.com')).toBe(0);
  });
});
