import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { AppRouter } from '@nephos/contracts';
import type { TRPCClient } from '@trpc/client';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentNode } from '../../../../tools/process.mjs';
import { requireTool } from '../../../../tools/require-tool.ts';
import { createDaemon } from '../../src/domains/deployments/engine/container/daemon.ts';
import { findKept, loadKept } from '../../src/domains/deployments/engine/container/kept-volumes.ts';
import { keptVolume } from '../../src/domains/deployments/engine/folders.ts';
import { type DockerDaemon, hasDocker, startDockerDaemon } from '../docker-daemon.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { nephos, openFolder, type Said } from './whole-cloud.ts';

const run = promisify(execFile);
const runnable = hasDocker() && requireTool('git');
const it = test.skipIf(!runnable);

const PASSPHRASE = { BACKUP_PASSPHRASE: 'four words of mine' };
const OF_DEPLOYMENTS = { timeout: 120_000, interval: 200 };

/** Says what is on its disk, and writes what a copy may lose there. */
const FILES = {
  Dockerfile:
    'FROM test-base:latest\nCOPY server.js /app/\nWORKDIR /app\nENV PATH=/bin\nCMD ["node", "server.js"]\n',
  'server.js': `const fs = require('node:fs');
const look = (place) => fs.readdirSync(place).sort().flatMap((name) => {
  const path = place + '/' + name;
  const { mode, uid, gid, size } = fs.lstatSync(path);
  const own = [path, mode, uid, gid];
  if (fs.lstatSync(path).isSymbolicLink()) return [[...own, fs.readlinkSync(path)]];
  if (fs.statSync(path).isDirectory()) return [own, ...look(path)];
  return [[...own, size, require('node:crypto').createHash('sha256').update(fs.readFileSync(path)).digest('hex')]];
});
require('node:http').createServer(({ url }, response) => {
  if (!fs.existsSync('/data')) return response.end('no disk yet');
  if (url === '/keep') {
    fs.mkdirSync('/data/mail/new', { recursive: true, mode: 0o700 });
    fs.writeFileSync('/data/mail/new/' + 'é'.repeat(100) + ' one', 'a letter', { mode: 0o640 });
    fs.writeFileSync('/data/large', require('node:crypto').randomBytes(9_000_000), { mode: 0o4711 });
    fs.writeFileSync('/data/empty', '');
    fs.symlinkSync('/etc/passwd', '/data/led');
    fs.linkSync('/data/empty', '/data/empty-too');
    for (const path of ['/data/mail', '/data/mail/new', '/data/large']) fs.chownSync(path, 1234, 4321);
    fs.chownSync('/data', 1234, 1234);
    fs.chmodSync('/data', 0o750);
  }
  const { mode, uid, gid } = fs.statSync('/data');
  response.end(JSON.stringify([[mode, uid, gid], ...look('/data')]));
}).listen(process.env.PORT, process.env.HOST);`,
};

let daemon: DockerDaemon;
let git: GitServer;
let home: string;
let server: KillableServer;
let client: TRPCClient<AppRouter>;
/** In a registry that is not ours. */
let image: string;
let restored: KillableServer;

beforeAll(async () => {
  if (!runnable) return;
  home = openFolder();
  [daemon, git] = await Promise.all([startDockerDaemon(), startGitServer()]);
  const settings = { DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host, BILLING: 'off' };
  server = await createKillableServer({ ...settings, BACKUP_URL: join(home, 'backups') });
  // Images that were built are in the registry of the host that this one was.
  const place = { DATA_DIR: join(home, 'restored'), PORT: String(server.port) };
  restored = await createKillableServer({ ...settings, ...place });
  await server.start();
  client = await server.signUp();
  image = await daemon.addImage('gone', { 'server.js': FILES['server.js'] });
});
afterAll(async () => {
  await Promise.all([server?.close(), restored?.close(), git?.close()]);
  await daemon?.close();
  if (home) rmSync(home, { recursive: true, force: true });
});

function ask(slug: string, path = '/'): Promise<string> {
  const { port } = server;
  return new Promise((resolve, reject) => {
    const headers = { host: `${slug}.localhost:${port}` };
    request({ host: '127.0.0.1', port, path, headers, agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`${response.statusCode}: ${text.slice(0, 200)}`));
    })
      .on('error', reject)
      .end();
  });
}

async function deploy(): Promise<{ slug: string; volume: string }> {
  await git.createRepository('shop', FILES);
  const project = await client.projects.create.mutate({ name: 'Shop', repositoryUrl: git.url('shop') });
  const { id, slug } = project;
  await ended(project.latestDeployment?.id ?? '');
  const disk = await client.disks.add.mutate({ id, name: 'data', path: '/data' });
  await ended((await client.deployments.create.mutate({ id })).id);
  return { slug, volume: `nephos-${disk.id}` };
}

async function ended(id: string): Promise<void> {
  const get = () => client.deployments.get.query({ id });
  await expect
    .poll(async () => (await get()).status, OF_DEPLOYMENTS)
    .not.toMatch(/queued|building|deploying/);
  expect(await get()).toMatchObject({ status: 'running', error: null });
}

/** Takes from Docker all that a machine that burned down had. */
async function burn(): Promise<void> {
  const { docker } = daemon;
  for (const { Id } of await docker.listContainers({ all: true })) {
    await docker.getContainer(Id).remove({ force: true });
  }
  for (const { Name } of (await docker.listVolumes()).Volumes) await docker.getVolume(Name).remove();
  for (const { Id } of await docker.listImages()) await docker.getImage(Id).remove({ force: true });
}

it('brings back an app that was built here with what is on its disk', { timeout: 300_000 }, async () => {
  const { slug, volume } = await deploy();
  const kept = await ask(slug, '/keep');
  expect(kept).toContain('1234');
  const settings = { DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host, ...PASSPHRASE };
  const here = { ...settings, DATA_DIR: server.dataDir, BACKUP_URL: join(home, 'backups') };
  const first = await nephos(['backup'], here);
  expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.not.stringContaining('Not in this') });
  const proof = await nephos(['backup', 'prove'], here);
  expect(proof, proof.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 disk of apps in containers'),
  });

  // Where the console sees no folder of Docker's, as in a container, Docker reads the disk itself.
  const elsewhere = { ...here, BACKUP_URL: join(home, 'by-docker') };
  const volumes = join(dirname(daemon.host.slice('unix://'.length)), 'data', 'volumes');
  const cli = join(import.meta.dirname, '..', '..', 'src', 'cli.ts');
  const hidden = `mount -t tmpfs none "$0" && exec "$@"`;
  for (const words of [['backup', 'init'], ['backup']]) {
    await run('unshare', ['--mount', 'sh', '-c', hidden, volumes, currentNode(), cli, ...words], {
      env: { ...process.env, ...elsewhere },
    });
  }
  const engine = async () => (await client.admin.engines.query()).find(({ id }) => id === 'backups');
  expect(await engine()).toMatchObject({ state: 'healthy' });
  await server.killAll();
  await burn();

  for (const target of [elsewhere.BACKUP_URL, here.BACKUP_URL]) {
    rmSync(join(home, 'restored'), { recursive: true, force: true });
    const said = await nephos(
      ['restore', '--from', target, '--data-dir', join(home, 'restored')],
      PASSPHRASE,
    );
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('apps in containers: 1.') });
    await restored.start();
    await expect.poll(() => ask(slug).catch(String), OF_DEPLOYMENTS).toBe(kept);
    const projects = join(home, 'restored', 'apps', 'projects');
    const [project = ''] = readdirSync(projects);
    expect(readdirSync(join(projects, project, 'volumes'))).toEqual([]);
    await restored.killAll();
    if (target === elsewhere.BACKUP_URL) await burn();
  }

  // What is gone is missed, on the page as well.
  for (const { Id } of await daemon.docker.listContainers({ all: true })) {
    await daemon.docker.getContainer(Id).remove({ force: true });
  }
  await daemon.docker.getVolume(volume).remove();
  const there = { ...here, DATA_DIR: join(home, 'restored') };
  const without = `The disk data of ${slug} was not taken: Docker here has no volume ${volume}.`;
  expect(await nephos(['backup'], there)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(without),
  });
});

it('brings back an app whose registry is gone, and says what an absent Docker kept from it', {
  timeout: 400_000,
}, async () => {
  rmSync(join(home, 'restored'), { recursive: true, force: true });
  await server.killAll();
  await server.start();
  const { id, slug, latestDeployment } = await client.projects.create.mutate({ name: 'Gone', image });
  const release = latestDeployment?.id ?? '';
  await ended(release);
  const here = { DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host, ...PASSPHRASE };
  const backUp = () =>
    nephos(['backup'], { ...here, DATA_DIR: server.dataDir, BACKUP_URL: join(home, 'backups') });
  let absent: Said | undefined;
  await daemon.restart('SIGKILL', {
    async meanwhile() {
      absent = await backUp();
    },
  });
  expect(absent).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringContaining('What Docker has of apps, their disks and images, was not taken: Docker'),
  });
  expect(await backUp()).toMatchObject({ code: 0, stderr: '', stdout: expect.not.stringContaining(slug) });
  await server.killAll();
  await burn();
  rmSync(join(dirname(daemon.host.slice('unix://'.length)), 'registry'), { recursive: true });

  const target = ['--from', join(home, 'backups'), '--data-dir', join(home, 'restored')];
  expect(await nephos(['restore', ...target], PASSPHRASE)).toMatchObject({ code: 0 });
  const kept = join(home, 'restored/apps/projects', id, 'releases', release, 'image.tar');
  expect(existsSync(kept)).toBe(true);
  await restored.start();
  await expect.poll(() => ask(slug).catch(String), OF_DEPLOYMENTS).toBe('no disk yet');
  expect(existsSync(kept)).toBe(false);
});

async function archiveOf(file: string, text: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const archive = pack();
  archive.entry({ name: 'disk/', type: 'directory', mode: 0o755 });
  archive.entry({ name: 'disk/file', mode: 0o600 }, text);
  archive.finalize();
  await pipeline(archive, createWriteStream(file));
}

it('fills an empty volume, anew where that was cut short, and none that has files', async () => {
  const watched = createDaemon({ host: daemon.host, log: { info() {}, warn() {} } as never });
  const root = join(home, 'apps');
  const parts = {
    ...{ daemon: watched, instance: 'test', root },
    settings: { diskDriver: { name: 'local', options: {} } } as never,
  };
  const load = () => loadKept(parts, 'project', 'nephos-one');
  const kept = keptVolume(root, 'project', 'nephos-one');
  const folder = async () => (await daemon.docker.getVolume('nephos-one').inspect()).Mountpoint;
  const text = async () => {
    const pieces = await Array.fromAsync(createReadStream(join(await folder(), 'file')));
    return Buffer.concat(pieces).toString();
  };
  await archiveOf(kept, 'first');
  await Promise.all([load(), load()]);
  expect(await text()).toBe('first');
  expect(findKept(root, 'project', 'nephos-one')).toBe(undefined);
  await archiveOf(kept, 'second');
  await expect(load()).rejects.toThrow('Docker has files in the volume nephos-one already.');
  expect(await text()).toBe('first');
  expect(existsSync(kept)).toBe(true);
  await rename(kept, `${kept}.loading`);
  await load();
  expect(await text()).toBe('second');
  expect(existsSync(`${kept}.loading`)).toBe(false);
});
