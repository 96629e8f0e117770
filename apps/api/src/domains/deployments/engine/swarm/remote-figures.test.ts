import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Daemon } from '../container/daemon.ts';
import { createRemoteFigures } from './remote-figures.ts';
import type { SwarmState } from './swarm-state.ts';

test('a daemon that hangs is not asked ever more', async () => {
  let asked = 0;
  const hang = () => {
    asked += 1;
    return new Promise(() => {});
  };
  const docker = { listServices: () => new Promise(() => {}), listTasks: hang };
  const machines = [
    { id: 'here', isHere: true },
    { id: 'there', isHere: false },
  ];
  const figures = createRemoteFigures({
    daemon: { docker } as unknown as Daemon,
    swarm: { reason: () => '', machines: () => machines } as unknown as SwarmState,
    ...{ log: pino({ level: 'silent' }), instance: '', token: '', image: '', period: 5 },
  });
  const { signal } = new AbortController();
  figures.watch({ machine: 'there', container: '1' }, { onUsage: () => {}, isTakenOver: false, signal });
  figures.start();
  await wait(100);
  figures.close();
  expect(asked).toBe(1);
});
