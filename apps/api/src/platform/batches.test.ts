import { expect, test } from 'vitest';
import { createBatches } from './batches.ts';

interface Run {
  items: number[];
  resolve: (results: string[]) => void;
  reject: (error: Error) => void;
}

function scripted({ atOnce = 1, largest = 3 } = {}) {
  const runs: Run[] = [];
  const batches = createBatches<number, string>({
    run: (items) => new Promise((resolve, reject) => runs.push({ items, resolve, reject })),
    atOnce,
    largest,
    mayRepeat: (error) => error instanceof RangeError,
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { runs, batches, turn };
}

test('what comes together goes together, and what comes meanwhile into the next, in order', async () => {
  const { runs, batches, turn } = scripted();
  const first = [batches.add(1), batches.add(2)];
  await turn();
  const later = [3, 4, 5, 6].map((item) => batches.add(item));
  await turn();
  expect(runs.map(({ items }) => items)).toEqual([[1, 2]]);
  runs[0]?.resolve(['a', 'b']);
  expect(await Promise.all(first)).toEqual(['a', 'b']);
  await turn();
  expect(runs.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  runs[1]?.resolve(['c', 'd', 'e']);
  await turn();
  runs[2]?.resolve(['f']);
  expect(await Promise.all(later)).toEqual(['c', 'd', 'e', 'f']);
});

test('the next batch is on its way before anybody is told of the one before', async () => {
  const begun: number[] = [];
  const connected = () => new Promise<void>((resolve) => process.nextTick(resolve));
  const batches = createBatches<number, number>({
    run: async (items) => {
      await connected();
      begun.push(...items);
      return items;
    },
    atOnce: 1,
    largest: 10,
    mayRepeat: () => false,
  });
  const first = batches.add(1).then(() => [...begun]);
  await Promise.resolve();
  const second = batches.add(2).then(() => [...begun]);
  expect(await first).toEqual([1, 2]);
  await second;
});

test('as many run at once as may', async () => {
  const { runs, batches, turn } = scripted({ atOnce: 2 });
  for (const item of [1, 2, 3]) {
    void batches.add(item);
    await turn();
  }
  expect(runs.map(({ items }) => items)).toEqual([[1], [2]]);
});

test('one that spoils a batch spoils only itself', async () => {
  const { runs, batches, turn } = scripted();
  const results = Promise.allSettled([batches.add(1), batches.add(2)]);
  await turn();
  runs[0]?.reject(new RangeError('one of them'));
  await turn();
  runs[1]?.resolve(['fine']);
  await turn();
  runs[2]?.reject(new RangeError('this one'));
  expect(await results).toMatchObject([{ value: 'fine' }, { reason: { message: 'this one' } }]);
  expect(runs.map(({ items }) => items)).toEqual([[1, 2], [1], [2]]);
});

test('a batch of which nobody knows what came of it is not done again', async () => {
  const { runs, batches, turn } = scripted();
  const results = Promise.allSettled([batches.add(1), batches.add(2)]);
  await turn();
  runs[0]?.reject(new Error('connection lost'));
  expect(await results).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(runs).toHaveLength(1);
});

test('what waits behind work that does not end is refused, and never begun', async () => {
  const begun: number[][] = [];
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const run = (items: number[]) => {
    begun.push(items);
    return promise;
  };
  const batches = createBatches({ run, atOnce: 1, largest: 10, mayRepeat: () => false, patience: 20 });
  const first = batches.add(1);
  await Promise.resolve();
  await expect(batches.add(2)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  resolve([1]);
  expect(await first).toBe(1);
  expect(begun).toEqual([[1]]);
});
