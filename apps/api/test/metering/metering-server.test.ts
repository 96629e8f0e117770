import { GB } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { meterUsage } from '../../src/domains/metering/meter-usage.ts';
import { createMetering } from '../../src/domains/metering/metering.ts';
import { createWorld, type Person, type World } from '../world.ts';
import {
  addDatabase,
  addFile,
  addProject,
  forgetUsage,
  HOUR,
  linesOf,
  SETTLED,
  START,
  tellTime,
} from './metering-world.ts';

let world: World;
let ada: Person;
let at: (seconds: number) => Promise<void>;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  at = await tellTime(world.deps.db, START);
});

beforeEach(() => forgetUsage(world.deps.db, START));
afterAll(() => world.close());

describe('a server', () => {
  test('says that it runs from its start on, and meters each hour', async () => {
    const running = await createWorld({ databaseUrl: world.databaseUrl, running: true });
    try {
      const uptimes = await world.deps.db.selectFrom('serverUptimes').select('began').execute();
      expect(uptimes).toEqual([{ began: START }]);
      const { rows } = await sql`select name from pgboss.schedule where name = 'metering'`.execute(
        world.deps.db,
      );
      expect(rows).toHaveLength(1);
    } finally {
      await running.close();
    }
  });

  test('that cannot write down what left tries again, and loses and doubles nothing', async () => {
    const projectId = await addProject(world.deps.db, ada.user.id);
    const sent = [new Map([[projectId, GB]]), new Map([[projectId, GB]]), new Map<string, number>()];
    const { db, log } = world.deps;
    const appsEnded = Promise.resolve();
    const engine = { collectEgress: () => sent.shift() ?? new Map<string, number>() };
    const server = createMetering({ db, log, engine, jobs: { schedule: () => {} }, appsEnded });
    await server.resume();
    await sql`alter table usage_egress rename to elsewhere`.execute(db);
    await server.stop();
    await sql`alter table elsewhere rename to usage_egress`.execute(db);
    await at(HOUR);
    await server.stop();
    await at(2 * HOUR + SETTLED);
    await meterUsage(db);
    const egress = (await linesOf(world.deps.db, START)).filter(({ type }) => type === 'egress');
    expect(egress).toEqual([
      { type: 'egress', resource: projectId, hour: 0, amount: 1 },
      { type: 'egress', resource: projectId, hour: 1, amount: 1 },
    ]);
  });
});

// The last, since nobody tells the time any more.
test('what is there when metering is introduced counts from then', async () => {
  await addDatabase(world.deps.db, { ownerId: ada.user.id, storageSize: 10 });
  await addFile(world.deps.db, { ownerId: ada.user.id, fileSize: GB });
  const { db } = world.deps;
  const { up, down } = await import('../../../../packages/db/src/migrations/0016-usage.ts');
  await sql`drop table told_time`.execute(db);
  await down(db as never);
  await up(db as never);
  const meters = await db.selectFrom('usageMeters').select(['resourceType', 'level']).execute();
  expect(meters).toHaveLength(2);
  expect(meters).toEqual(
    expect.arrayContaining([
      { resourceType: 'database', level: 10 },
      { resourceType: 'storage', level: GB },
    ]),
  );
});
