import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { answerBegins, createAppFigures } from './app-figures.ts';
import { countLatency, percentile } from './latencies.ts';

/** As much of an answer as is counted. */
function answer(statusCode: number, headersSent = true): ServerResponse {
  const response = Object.assign(new EventEmitter(), { statusCode, headersSent });
  // Nothing but these is read.
  return response as unknown as ServerResponse;
}

test('answers are counted when they are over, errors from 500 on, and by when they began', () => {
  const figures = createAppFigures();
  for (const response of [answer(200), answer(404), answer(500), answer(503), answer(200, false)]) {
    figures.begin('one', response);
    answerBegins(response);
    response.emit('close');
  }
  figures.begin('two', answer(200));
  const [one, ...others] = figures.collect();
  expect(others).toEqual([]);
  expect(one).toMatchObject({ projectId: 'one', process: '', requests: 5, errors: 2, memorySamples: 0 });
  expect(one?.latencies.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(figures.collect()).toEqual([]);
});

test('what processes use is of each and of the whole app, as much at a moment as all use together', () => {
  const figures = createAppFigures();
  const [web, second, worker] = ['web', 'web', 'worker'].map((name) => figures.watch('one', name));
  for (const run of [web, second, worker]) {
    run?.sample({ memory: 100, cpuMs: 5 });
    run?.sample({ memory: 200, cpuMs: 5 });
  }
  worker?.end();
  figures.disk('one', 4096);
  const all = figures.collect().map(({ process, cpuMs, memorySum, memorySamples, disk }) => ({
    ...{ process, cpuMs, memory: memorySum / memorySamples, disk },
  }));
  expect(all).toEqual([
    { process: 'web', cpuMs: 20, memory: 300, disk: 4096 },
    { process: '', cpuMs: 30, memory: 450, disk: 4096 },
    { process: 'worker', cpuMs: 10, memory: 150, disk: 4096 },
  ]);
  web?.sample({ memory: 7, cpuMs: 1 });
  worker?.sample({ memory: 7, cpuMs: 1 });
  expect(figures.collect().map(({ process }) => process)).toEqual(['web', '']);
});

test('a percentile is near the truth, whatever is measured', () => {
  for (const ms of [0.6, 3, 17, 250, 4000, 60_000]) {
    const counts: number[] = [];
    for (let n = 0; n < 100; n += 1) countLatency(counts, ms);
    for (const part of [0.5, 0.99]) {
      const found = percentile(counts, part) ?? 0;
      expect(Math.abs(found - ms) / ms).toBeLessThan(0.26);
    }
  }
  const mixed: number[] = [];
  for (let n = 1; n <= 1000; n += 1) countLatency(mixed, n);
  expect(percentile(mixed, 0.5)).toBeGreaterThan(440);
  expect(percentile(mixed, 0.5)).toBeLessThan(560);
  expect(percentile(mixed, 0.99)).toBeGreaterThan(880);
  expect(percentile([], 0.5)).toBeNull();
});
