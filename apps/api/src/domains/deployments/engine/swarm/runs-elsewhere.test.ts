import { expect, test } from 'vitest';
import type { Daemon } from '../container/daemon.ts';
import { assertEndedElsewhere } from './runs-elsewhere.ts';
import type { SwarmState } from './swarm-state.ts';

const MACHINES = {
  here: { name: 'one', isHere: true, isGivenUp: false },
  there: { name: 'two', isHere: false, isGivenUp: false },
  gone: { name: 'three', isHere: false, isGivenUp: true },
};

const swarm = { machine: (id: keyof typeof MACHINES) => MACHINES[id] } as unknown as SwarmState;

test.each([
  ['it runs', 'there', 'running', 'the app runs on two yet'],
  ['it has ended', 'there', 'shutdown', ''],
  ['it is being begun', 'there', 'preparing', 'the app runs on two yet'],
  ['the swarm has given its machine up', 'gone', 'running', ''],
  ['it is on this machine, which takes the disk from it', 'here', 'running', ''],
  ['it has no machine', '', 'pending', ''],
])('a disk is put back or not where %s', async (_, NodeID, State, reason) => {
  const found = { ID: '1', ServiceID: '2', CreatedAt: '', NodeID, Status: { State } };
  const daemon = { docker: { listTasks: async () => [found] } } as unknown as Daemon;
  const checked = assertEndedElsewhere({ swarm, containers: { daemon } }, 'project').then(
    () => '',
    (error: Error) => error.message,
  );
  expect(await checked).toBe(reason);
});
