import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMachine } from '../../../../tools/bare-machine.ts';
import { root } from '../../../../tools/process.mjs';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort } from '../../../../tools/server-process.mjs';
import { type DockerDaemon, hasDocker, startDockerDaemon } from '../docker-daemon.ts';

const runnable = hasDocker() && requireTool('debootstrap') && requireTool('git');

const run = promisify(execFile);
const NAME = 'nephos-test';
const BUILD_MS = 25 * 60_000;
/** Layers of some gigabytes go with the daemon. */
const CLOSE_MS = 10 * 60_000;

let home: string;
let daemon: DockerDaemon;
let docker: (...args: string[]) => Promise<string>;

describe.skipIf(!runnable)('the image', () => {
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'nephos-image-'));
    daemon = await startDockerDaemon();
    const env = { ...process.env, DOCKER_HOST: daemon.host, DOCKER_BUILDKIT: '0' };
    docker = async (...args) => (await run('docker', args, { env, maxBuffer: 2 ** 26 })).stdout;
    await importNode();
  }, BUILD_MS);

  afterAll(async () => {
    await daemon?.close();
    rmSync(home, { recursive: true, force: true });
  }, CLOSE_MS);

  /** In the place of the official image, which is elsewhere: Debian with this machine's Node and npm. */
  async function importNode(): Promise<void> {
    const base = join(home, 'base');
    makeMachine(base, []);
    const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
    cpSync(dirname(dirname(npm)), join(base, 'usr/local/lib/npm'), { recursive: true });
    cpSync(process.execPath, join(base, 'usr/local/bin/node'));
    execFileSync('ln', ['-s', '../lib/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm')]);
    const archive = join(home, 'base.tar');
    execFileSync('tar', ['--create', '--file', archive, '--directory', base, '.']);
    const authorities = 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt';
    await docker('import', '--change', authorities, archive, 'node:24-slim');
  }

  test(
    'is built of a clone, becomes healthy, and ends in good order',
    async () => {
      const clone = join(home, 'clone');
      execFileSync('git', ['clone', '--quiet', root, clone]);
      await docker('build', '--network', 'host', '--tag', NAME, clone);
      const port = String(await freePort());
      const settings = { PORT: port, DNS_PORT: '0', MANAGED_POSTGRES_PORT: '0', MANAGED_REDIS_PORT: '0' };
      const variables = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      await docker('run', '--detach', '--name', NAME, '--network', 'host', ...variables, NAME);
      const health = async () =>
        (await docker('inspect', '--format', '{{.State.Health.Status}}', NAME)).trim();
      await expect.poll(health, { timeout: 120_000, interval: 1000 }).toBe('healthy');
      const response = await fetch(`http://127.0.0.1:${port}/`);
      expect({ status: response.status, text: await response.text() }).toEqual({
        status: 200,
        text: expect.stringContaining('<title>'),
      });
      await docker('stop', '--time', '15', NAME);
      expect((await docker('inspect', '--format', '{{.State.ExitCode}}', NAME)).trim()).toBe('0');
    },
    BUILD_MS,
  );
});
