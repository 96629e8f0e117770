import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { MeteringModel, MODEL_START, operation } from './metering-model.ts';
import { linesOf, tellTime } from './metering-world.ts';

const RUNS = Number(process.env.METERING_RUNS ?? 12);

let world: World;
let ada: Person;
let at: (seconds: number) => Promise<void>;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  at = await tellTime(world.deps.db, MODEL_START);
});

afterAll(() => world.close());

test('each hour costs what a naive book of the same operations says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
      const model = new MeteringModel(world, ada.user.id, at);
      await model.begin();
      try {
        for (const each of operations) await model.run(each);
        await model.run({ kind: 'meter', wait: 3600 + 121, size: 1, pick: 0 });
        const hours = Math.floor((model.now - 120) / 3600);
        const expected = model.expected(hours);
        const found = await linesOf(world.deps.db, MODEL_START);
        const keys = found.map(({ type, resource, hour }) => `${type} ${resource} ${hour}`);
        expect(keys.toSorted()).toEqual([...expected.keys()].toSorted());
        for (const [index, { amount }] of found.entries()) {
          expect(amount).toBeCloseTo(expected.get(keys[index] ?? '') ?? Number.NaN, 6);
        }
      } finally {
        await model.end();
      }
    }),
    { numRuns: RUNS },
  );
});
