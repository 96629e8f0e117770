import { cpSync, mkdtempSync, readlinkSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../../tools/process.mjs';
import { requireTool } from '../../../../tools/require-tool.ts';
import { readReturn } from '../../src/upgrade/releases.ts';
import { READY_MS } from '../killable-server.ts';
import { PASSWORD } from '../world.ts';
import {
  addMigration,
  type Change,
  diesOnceItServes,
  edit,
  hangsOnceItServes,
  layRelease,
  neverReady,
} from './laid-releases.ts';
import { bootMachine, type Machine } from './systemd-machine.ts';

const URL = 'http://127.0.0.1';

let machine: Machine;
let home: string;

/** As what install.sh lays out, but that neither a ready version nor one that hangs is watched for long. */
const installed: Change = (folder) => {
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
  cpSync(join(root, 'install.sh'), join(folder, 'install.sh'));
  edit(join(folder, 'apps/api/src/upgrade/service.ts'), 'SETTLE_MS = 10_000', 'SETTLE_MS = 2000');
  edit(join(folder, 'apps/api/src/platform/watchdog.ts'), 'PATIENCE_MS = 60_000', 'PATIENCE_MS = 4000');
};

/** The status of an answer, and 000 without one. */
function ask(path: string, ...args: string[]): string {
  const { said } = machine.run(
    'curl',
    '--silent',
    '--max-time',
    '5',
    '--output',
    '/dev/null',
    '--write-out',
    '%{http_code}',
    ...args,
    `${URL}${path}`,
  );
  return said;
}

function post(path: string): string {
  const body = JSON.stringify({ email: 'ada@example.com', password: PASSWORD });
  return ask(path, '--header', 'content-type: application/json', '--data', body);
}

/** The version that every start is of, and whether it answers with the data that it should have. */
function served() {
  return {
    current: basename(readlinkSync(join(home, 'current'))),
    ready: ask('/readyz'),
    login: post('/api/login'),
  };
}

/** How long three starts of a version take that ends, or hangs, after each, and one of the version before. */
const RETURN_MS = 6 * READY_MS;

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('skipped: a machine of its own needs root');

describe.skipIf(!requireTool('systemd-analyze') || !requireTool('curl') || !isRoot)(
  'as a service of systemd',
  () => {
    beforeAll(async () => {
      machine = await bootMachine(mkdtempSync(join(tmpdir(), 'nephos-systemd-')), (files) => {
        home = join(files, 'opt/nephos');
        layRelease(home, '0.1.0', installed);
        symlinkSync('releases/0.1.0', join(home, 'current'));
      });
      expect(machine.run('sh', '/opt/nephos/current/install.sh')).toMatchObject({ code: 0 });
      expect(post('/api/signup')).toBe('201');
    }, 3 * READY_MS);

    afterAll(() => machine?.end(), READY_MS);

    /** Lays that version with a change beside the others first. It has `seconds` to become ready. */
    async function upgradeTo(version: string, change: Change, seconds = 90) {
      layRelease(home, version, installed, change);
      const options = ['--to', version, '--without-backup', '--timeout', String(seconds)];
      return machine.run('nephos', 'upgrade', ...options);
    }

    test('a newer version takes its place, with all data', { timeout: 4 * READY_MS }, async () => {
      expect(await upgradeTo('0.2.0', addMigration)).toMatchObject({ code: 0 });
      expect(served()).toEqual({ current: '0.2.0', ready: '200', login: '200' });
    });

    test('one that does not become ready gives way', { timeout: 4 * READY_MS }, async () => {
      expect(await upgradeTo('0.3.0', neverReady, 10)).toMatchObject({
        code: 1,
        said: expect.stringMatching(/0\.3\.0 did not become ready \(.+\); 0\.\d\.0 serves/),
      });
      expect(served()).toMatchObject({ ready: '200', login: '200' });
    });

    test.each([
      ['ends', '0.4.0', diesOnceItServes],
      ['hangs', '0.5.0', hangsOnceItServes],
    ])(
      'one that %s again and again once it serves gives way',
      { timeout: 2 * RETURN_MS },
      async (_, version, change) => {
        const { current } = served();
        expect(await upgradeTo(version, change)).toMatchObject({
          said: expect.stringContaining(`${version} serves. Should it`),
        });
        await expect.poll(served, { timeout: RETURN_MS }).toEqual({ current, ready: '200', login: '200' });
        expect(readReturn(home)?.said).toContain(`Version ${version} ended by itself or hung 3 times`);
      },
    );
  },
);
