import { pino } from 'pino';
import { expect, test } from 'vitest';
import { runSweeps } from './sweeps.ts';

test('a sweep that fails is logged by its name and holds up none of the others', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const ran: string[] = [];
  const sweeps = {
    sessions: async () => ran.push('sessions'),
    blobs: async () => {
      throw new Error('the disk is away');
    },
    events: async () => ran.push('events'),
  };
  await runSweeps(sweeps, log);
  expect(ran).toEqual(['sessions', 'events']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, sweep: 'blobs', err: { message: 'the disk is away' } },
  ]);
});
