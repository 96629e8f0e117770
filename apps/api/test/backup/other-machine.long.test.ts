import { cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../../tools/process.mjs';
import { requireTool } from '../../../../tools/require-tool.ts';
import { READY_MS } from '../killable-server.ts';
import { layRelease } from '../platform/laid-releases.ts';
import { bootMachine, type Machine } from '../platform/systemd-machine.ts';
import { PASSWORD } from '../world.ts';

/** The steps as people read them. The release of the first one is laid already. */
function stepsOf(section: string): string {
  const text = readFileSync(join(root, 'docs/backups.md'), 'utf8');
  const [, steps = ''] = /```sh\n(.*?)```/s.exec(text.slice(text.indexOf(`## ${section}`))) ?? [];
  return steps.replace('nephos/install.sh --from nephos ', '/opt/nephos/current/install.sh ');
}

const SETTINGS = { BACKUP_URL: '/mnt/backups', MAIL_FROM: 'Nephos <nephos@example.com>' };

let machine: Machine;

function run(...command: string[]): string {
  const { code, said } = machine.run(...command);
  expect(code, `${command.join(' ')}: ${said}`).toBe(0);
  return said;
}

/** The status of an answer. */
function post(path: string): string {
  const body = JSON.stringify({ email: 'ada@example.com', password: PASSWORD });
  const asked = ['--silent', '--max-time', '5', '--output', '/dev/null', '--write-out', '%{http_code}'];
  const json = ['--header', 'content-type: application/json', '--data', body];
  return machine.run('curl', ...asked, ...json, `http://127.0.0.1${path}`).said;
}

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('skipped: a machine of its own needs root');

describe.skipIf(!requireTool('systemd-analyze') || !requireTool('curl') || !isRoot)(
  'a service of systemd that is lost with its machine',
  () => {
    let recoveryKey: string;

    beforeAll(async () => {
      machine = await bootMachine(mkdtempSync(join(tmpdir(), 'nephos-lost-')), (files) => {
        const home = join(files, 'opt/nephos');
        layRelease(home, '0.1.0', (folder) => {
          cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
          cpSync(join(root, 'install.sh'), join(folder, 'install.sh'));
        });
        symlinkSync('releases/0.1.0', join(home, 'current'));
      });
      run('sh', '/opt/nephos/current/install.sh');
      expect(post('/api/signup')).toBe('201');
      const lines = Object.entries(SETTINGS).map(([name, value]) => `${name}='${value}'`);
      run('sh', '-c', `printf '%s\\n' "$@" >>/etc/nephos/nephos.env`, 'sh', ...lines);
      [recoveryKey = ''] = /([0-9a-z]{6}-){5}[0-9a-z]{6}/.exec(run('nephos', 'backup', 'init')) ?? [];
      run('nephos', 'backup');
      run('systemctl', 'stop', 'nephos*');
      run('mv', '/var/lib/nephos', '/etc/nephos/nephos.env', '/tmp');
    }, 3 * READY_MS);

    afterAll(() => machine?.end(), READY_MS);

    test('comes back by the steps of the documentation', { timeout: 3 * READY_MS }, () => {
      const said = run(
        ...['env', `BACKUP_RECOVERY_KEY=${recoveryKey}`],
        ...['sh', '-euc', stepsOf('Restore on another machine')],
      );
      expect(said).toContain('Came back:');
      expect(said).toContain('Nephos is ready at');
      expect(post('/api/login')).toBe('200');
      expect(run('cat', '/etc/nephos/nephos.env')).toContain(`MAIL_FROM='${SETTINGS.MAIL_FROM}'`);
      expect(run('stat', '-c', '%a %U', '/etc/nephos/nephos.env', '/var/lib/nephos')).toBe(
        '600 root\n711 root\n',
      );
      // The key was kept in the database that came back.
      expect(run('nephos', 'backup', 'list')).toMatch(/^\S+Z\n$/);
    });
  },
);
