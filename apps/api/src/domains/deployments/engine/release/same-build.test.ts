import { DETECTED_SETTINGS } from '@nephos/contracts';
import { expect, it } from 'vitest';
import { detect } from '../detect/detect.ts';
import type { RunningBuild } from '../process/running-build.ts';
import { buildKey } from './same-build.ts';

const plan = (packageJson: object) => {
  const texts = { 'package.json': JSON.stringify(packageJson) };
  const snapshot = { folder: '', names: new Set(Object.keys(texts)), texts, publicIndex: false, above: [] };
  return detect('nodejs', snapshot, DETECTED_SETTINGS);
};
const built = {
  root: '/data/apps',
  job: {
    repositoryUrl: 'https://example.com/a.git',
    framework: 'nodejs',
    buildVariables: { A: '1', B: '2' },
  },
  commit: 'c1',
  plan: plan({ main: 'a.js' }),
  runtimes: { node: '24.1.0', headers: undefined, python: undefined },
};
const keyOf = ({ root, job, commit, plan: planned, runtimes }: typeof built) =>
  // Of a build, the key reads the job alone.
  buildKey({ root }, { job: { disks: [], ...job } } as unknown as RunningBuild, {
    ...{ commit, runtimes },
    plan: planned,
  });

it.each([
  ['place of the data', { ...built, root: '/srv/apps' }],
  ['the commit', { ...built, commit: 'c2' }],
  ['a variable of the build', { ...built, job: { ...built.job, buildVariables: { A: '1', B: '3' } } }],
  ['the start command', { ...built, plan: plan({ main: 'b.js' }) }],
  ['the version of Node.js', { ...built, runtimes: { ...built.runtimes, node: '24.2.0' } }],
  ['the repository', { ...built, job: { ...built.job, repositoryUrl: 'https://example.com/b.git' } }],
])('is another one for another %s', (_, other) => {
  expect(keyOf(other)).not.toBe(keyOf(built));
});

it('does not depend on what only the app is given, nor on the order of variables', () => {
  const job = { ...built.job, variables: { C: '3' }, buildVariables: { B: '2', A: '1' } };
  expect(keyOf({ ...built, job })).toBe(keyOf(built));
});
