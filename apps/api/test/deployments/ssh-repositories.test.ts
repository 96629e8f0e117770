import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Project } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort } from '../../../../tools/server-process.mjs';
import { type GitServer, startGitServer } from '../git-server.ts';
import { createWorld, type Person, type World } from '../world.ts';

const SSHD = '/usr/sbin/sshd';
const run = promisify(execFile);

let world: World;
let git: GitServer;
let ada: Person;
let folder: string;
let port: number;
let sshd: ChildProcess | undefined;

const isReady = requireTool('sshd') && requireTool('ssh') && requireTool('bwrap');

/** Serves SSH with the host key of that name, and with no other. */
async function serve(hostKey: string): Promise<void> {
  const key = join(folder, hostKey);
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const config = join(folder, `${hostKey}.conf`);
  const lines = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${key}`, 'PidFile none', 'StrictModes no'],
    ...[`AuthorizedKeysFile ${join(folder, 'authorized_keys')}`, 'PasswordAuthentication no'],
    ...['KbdInteractiveAuthentication no', 'UsePAM no', 'PermitRootLogin prohibit-password'],
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  sshd = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const { stderr } = sshd;
  await new Promise<void>((resolve, reject) => {
    stderr?.on('data', (piece) => String(piece).includes('listening') && resolve());
    sshd?.once('exit', () => reject(new Error('sshd does not listen')));
  });
}

async function endSshd(): Promise<void> {
  if (!sshd || sshd.exitCode !== null) return;
  const ended = once(sshd, 'exit');
  sshd.kill('SIGTERM');
  await ended;
}

beforeAll(async () => {
  if (!isReady) return;
  folder = await mkdtemp(join(tmpdir(), 'nephos-ssh-'));
  await chmod(folder, 0o755);
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  await writeFile(join(folder, 'authorized_keys'), '');
  port = await freePort();
  [git, world] = await Promise.all([startGitServer(), createWorld({ running: true }), serve('first')]);
  ada = await world.as('Ada');
});
afterAll(async () => {
  if (!isReady) return;
  await endSshd();
  await Promise.all([world.close(), git.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** The newest deployment once it has ended, with its log. */
async function endOf({ id }: Pick<Project, 'id'>) {
  const newest = async () => (await ada.rpc.deployments.list.query({ id }))[0];
  await expect.poll(async () => (await newest())?.status).toMatch(/running|failed/);
  const deployment = await newest();
  const { text } = await ada.rpc.deployments.logTail.query({ id: deployment?.id ?? '' });
  return { ...deployment, text };
}

async function deploy({ id }: Pick<Project, 'id'>) {
  await ada.rpc.deployments.create.mutate({ id });
  return endOf({ id });
}

const REFUSED =
  "Failed to clone the repository: the Git server refused the deploy key. Add the public key in the project's settings to the repository.";
const OTHER_HOST =
  "Failed to clone the repository: the Git server has another host key than at first. If it was changed on purpose, forget the old one in the project's settings.";

describe.skipIf(!isReady)('a repository over SSH', () => {
  test('is cloned with a key of the project, from the host that it was at first', async () => {
    await git.createRepository('ssh', { 'index.html': '<h1>By SSH</h1>' });
    const repositoryUrl = `ssh://${userInfo().username}@127.0.0.1:${port}${git.folder('ssh')}`;
    const project = await ada.rpc.projects.create.mutate({
      ...{ name: 'Site', framework: 'static', branch: '', repositoryUrl },
    });
    const { id } = project;
    expect(await endOf(project)).toMatchObject({ status: 'failed', step: 'clone', error: REFUSED });
    const path = `/api/projects/${id}/deploy-key`;
    const { body } = await ada.rest(`GET ${path}`);
    const key = await ada.rpc.deployKeys.get.query({ id });
    expect(body).toEqual(key);
    expect(key.publicKey).toMatch(/^ssh-ed25519 \S+ nephos-site/);
    const { stdout } = await run('ssh-keygen', ['-lf', join(folder, 'first.pub')]);
    const [, fingerprint] = stdout.split(' ');
    expect(key.hostKeys).toEqual([{ type: 'ssh-ed25519', fingerprint }]);
    expect(key.host).toBe(`127.0.0.1:${port}`);

    await appendFile(join(folder, 'authorized_keys'), `${key.publicKey}\n`);
    const { text, ...deployed } = await deploy(project);
    expect({ text, ...deployed }).toMatchObject({ status: 'running' });
    const left = await readdir(join(world.deps.settings.dataDir), { recursive: true });
    expect(left.filter((name) => /deploy-key|known-hosts|ssh-config/.test(name))).toEqual([]);

    await endSshd();
    await serve('second');
    expect(await deploy(project)).toMatchObject({ status: 'failed', error: OTHER_HOST });
    expect(await ada.rest(`DELETE ${path}/host-keys`)).toMatchObject({ status: 200 });
    expect(await ada.rpc.deployKeys.get.query({ id })).toMatchObject({ host: '', hostKeys: [] });
    expect(await deploy(project)).toMatchObject({ status: 'running' });

    const renewed = await ada.rest(`POST ${path}`);
    expect(renewed).toMatchObject({ status: 200, body: { host: key.host } });
    expect((renewed.body as typeof key).publicKey).not.toBe(key.publicKey);
    expect(await deploy(project)).toMatchObject({ status: 'failed', error: REFUSED });
  });

  test('has its key shown to its owner alone, and never the private half', async () => {
    const { id } = await ada.rpc.projects.create.mutate({ name: 'Mine' });
    expect(await ada.rpc.deployKeys.get.query({ id })).toEqual({
      ...{ publicKey: null, createdAt: null, host: '', hostKeys: [] },
    });
    const change = (repositoryUrl: string) =>
      ada.rest(`PATCH /api/projects/${id}`, { body: { repositoryUrl } });
    expect(await change('git@github.com:you/app.git')).toMatchObject({ status: 200 });
    const { publicKey } = await ada.rpc.deployKeys.get.query({ id });
    expect(publicKey).toMatch(/^ssh-ed25519 /);
    // Another address keeps the key, which may be at the host already.
    expect(await change('git@github.com:you/other.git')).toMatchObject({ status: 200 });
    expect(await ada.rpc.deployKeys.get.query({ id })).toMatchObject({ publicKey });
    for (const refused of [
      'git@-oProxyCommand=x:a.git',
      '-oProxyCommand=x@github.com:a.git',
      'git@github.com:-a',
      "git@github.com:a';id;'",
      'ssh://git@github.com:0/a.git',
      'ssh://git:secret@github.com/a.git',
    ]) {
      expect(await change(refused), refused).toMatchObject({ status: 400 });
    }
    const bob = await world.as('Bob');
    const path = `/api/projects/${id}/deploy-key`;
    for (const route of [`GET ${path}`, `POST ${path}`, `DELETE ${path}/host-keys`]) {
      expect(await bob.rest(route)).toMatchObject({ status: 404 });
      expect(await world.anyone.rest(route)).toMatchObject({ status: 401 });
    }
  });
});
