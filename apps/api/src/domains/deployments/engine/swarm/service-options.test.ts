import { expect, it } from 'vitest';
import type { DeployedApp } from '../engine.ts';
import { madeBy, serviceOptions } from './service-options.ts';

it('tells of a service how long its app may take to end, and whether it has a disk', () => {
  const app = { slug: 'app', projectId: '1', deploymentId: '2' } as DeployedApp;
  const disk = { name: 'data', volume: 'nephos-1', path: '/data', source: undefined };
  const options = {
    ...{ name: 'app-web-1', instance: 'here', app, origin: { process: 'web', instance: 1 } },
    ...{ image: 'app', command: [], env: {}, limits: { memory: 64, cpu: null, tasks: 10 } },
    network: { name: 'net', gateway: '10.0.0.1', hosts: [] },
    ...{ port: 3000, machine: 'here' },
  };
  expect(madeBy(serviceOptions({ ...options, grace: 300_000, disks: [disk] }))).toEqual({
    ...{ grace: 300_000, holdsDisk: true },
  });
  expect(madeBy(serviceOptions({ ...options, grace: 0, disks: [] }))).toEqual({
    ...{ grace: 0, holdsDisk: false },
  });
});
