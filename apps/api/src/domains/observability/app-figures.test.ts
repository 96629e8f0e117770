import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { answerBegan, createAppFigures } from './app-figures.ts';
import { countLatency, percentile } from './latencies.ts';

/** As much of an answer as is counted. */
function answer(statusCode: number, headersSent = true): ServerResponse {
  const response = Object.assign(new EventEmitter(), { statusCode, headersSent });
  // Nothing but these is read.
  return response as unknown as ServerResponse;
}

test('answers are counted once, when they begin or else when they are over, errors from 500 on', () => {
  const figures = createAppFigures();
  for (const response of [answer(200), answer(404), answer(500), answer(503), answer(200, false)]) {
    figures.begin('one', response);
    if (response.headersSent) answerBegan(response);
    else response.emit('close');
    answerBegan(response);
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

/** The smallest value within which a part of all lies. */
function exactly(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

const EVEN = Array.from({ length: 9973 }, (_, n) => (n + 0.5) / 9973);

test.each<[string, number[]]>([
  ['are all the same', EVEN.map(() => 17)],
  ['are spread evenly', EVEN.map((part) => 1000 * part)],
  ['are exponential', EVEN.map((part) => -20 * Math.log(1 - part))],
  ['have a long tail', EVEN.map((part) => 2 / (1 - part) ** 0.7)],
  ['are quick or slow', EVEN.map((part) => (part < 0.985 ? 3 + part : 900 + part))],
  ['are below a millisecond', EVEN.map((part) => part)],
])('percentiles are within a quarter of the truth where latencies %s', (_, latencies) => {
  const counts: number[] = [];
  for (const ms of latencies) countLatency(counts, ms);
  const sorted = latencies.toSorted((a, b) => a - b);
  for (const part of [0.01, 0.5, 0.9, 0.99, 1]) {
    const [found, exact] = [percentile(counts, part) ?? Number.NaN, exactly(sorted, part)];
    // Rounded to three digits.
    const error = Math.abs(found - exact) - 0.005 * exact;
    expect(error, `${part}: ${found} for ${exact}`).toBeLessThanOrEqual(Math.max(0.5, exact / 4));
  }
});

test('latencies of none are not known', () => expect(percentile([], 0.5)).toBeNull());
