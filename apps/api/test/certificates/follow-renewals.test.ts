import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AuthorityProblem } from '../../src/domains/certificates/authority-problem.ts';
import { followRenewals } from '../../src/domains/certificates/follow-renewals.ts';
import { createWorld, type World } from '../world.ts';

const NAMES = ['a.example.test', 'b.example.test', 'c.example.test'];
const HOUR = 3_600_000;

let world: World;
/** Chains of which the authority was asked. */
let asked: string[];

beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  const { db } = world.deps;
  asked = [];
  await db.deleteFrom('certificateOrders').execute();
  await db.deleteFrom('ownCertificates').execute();
  for (const [index, name] of NAMES.entries()) {
    const certificate = { chain: name, sealedKey: Buffer.of(), issuer: 'Test', endsAt: '2999-01-01' };
    await db
      .insertInto('ownCertificates')
      .values({ name, ...certificate })
      .execute();
    const infoDueAt = sql<string>`now() - ${10 - index} * interval '1 minute'`;
    await db
      .insertInto('certificateOrders')
      .values({ name, domainId: null, ownerId: null, infoDueAt })
      .execute();
  }
});
afterAll(() => world.close());

/** The authority says this of the first name, and nothing of the others. */
async function follow(problem: Error | undefined, ownNames: readonly string[] = NAMES) {
  const ask = async (chain: string) => {
    asked.push(chain);
    if (problem && chain === NAMES[0]) throw problem;
    return undefined;
  };
  await followRenewals({
    db: world.deps.db,
    open: async () => ask,
    log: pino({ level: 'silent' }),
    ownNames,
  });
  const rows = await world.deps.db
    .selectFrom('certificateOrders')
    .select('infoDueAt')
    .orderBy('name')
    .execute();
  return rows.map(({ infoDueAt }) => Math.round((Date.parse(infoDueAt) - Date.now()) / HOUR) + 0);
}

it('one certificate that the authority does not know keeps none of the others from their turn', async () => {
  expect(await follow(new AuthorityProblem('unknown', { status: 404 }))).toEqual([1, 6, 6]);
});

it.each([
  ['is limited', new AuthorityProblem('limited', { status: 429 })],
  ['is away', new AuthorityProblem('away')],
  ['fails', new AuthorityProblem('failed', { status: 503 })],
])('an authority that %s is asked no more in that run', async (_, problem) => {
  expect(await follow(problem)).toEqual([1, 0, 0]);
  expect(asked).toEqual(NAMES.slice(0, 1));
});

it('nobody asks about names that are the server’s no longer', async () => {
  expect(await follow(undefined, NAMES.slice(1))).toEqual([0, 6, 6]);
  expect(asked).toEqual(NAMES.slice(1));
});
