import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import {
  findNetworks,
  type Networks,
  type RunNetwork,
} from '../../src/domains/deployments/engine/process/sandbox/network.ts';
import { searchPath } from '../../src/domains/deployments/engine/process/toolchain.ts';

const run = promisify(execFile);
const mayRun = ['ip', 'nft', 'iptables'].map(requireTool).every(Boolean) && process.getuid?.() === 0;

/** Networks as a server of an installation finds them when it starts. */
async function started(instance: string): Promise<Networks> {
  const path = searchPath({ PATH: process.env.PATH ?? '' });
  const networks = await findNetworks(path, { instance, ports: () => ({ loopback: [], public: [] }) });
  if (typeof networks === 'string') throw new Error(networks);
  return networks;
}

async function spaces(): Promise<string[]> {
  const { stdout } = await run('ip', ['netns', 'list']);
  return stdout.split('\n').map((line) => line.split(' ', 1)[0] ?? '');
}

/** What the network is called, by the file that one enters it by. */
function nameOf({ enter }: RunNetwork): string {
  return basename(enter.find((word) => word.startsWith('--net=')) ?? '');
}

test.skipIf(!mayRun)('a start removes the networks that a killed server left, and no others', async () => {
  const [ours, theirs] = [randomUUID(), randomUUID()];
  const others = await started(theirs);
  const neighbour = await others.open();
  const left = await (await started(ours)).open();
  expect(await spaces()).toEqual(expect.arrayContaining([nameOf(left), nameOf(neighbour)]));

  const again = await started(ours);
  expect(await spaces()).not.toContain(nameOf(left));
  expect(await spaces()).toContain(nameOf(neighbour));
  await neighbour.close();
  await Promise.all([again.close(), others.close()]);
});

test.skipIf(!mayRun)('the machine passes on what is of runs, and only while there are any', async () => {
  const program = join(import.meta.dirname, 'fixtures/network-host.ts');
  const { stdout } = await run('unshare', ['--net', '--mount', process.execPath, program]);
  expect(JSON.parse(stdout)).toEqual({
    atStart: false,
    rulesAtOnce: false,
    whileOneRuns: [true, true, false],
    outside: 'ECONNREFUSED',
    bySix: 'ENETUNREACH',
    throughUs: 'no answer',
    asker: '127.0.0.1',
    addresses: ['127.0.0.1', '::1', expect.stringMatching(/^198\.1[89]\./)],
    ends: ['IPv4'],
    whileAnotherRuns: true,
    afterwards: [false, true],
    // As Docker does, which the machine then stays a router for.
    whereOthersWantIt: [true, true],
    whenKilled: true,
    afterTheNextStart: false,
    behindFirewall: 'ECONNREFUSED',
    firewallAfterwards: '-P FORWARD DROP',
  });
});
