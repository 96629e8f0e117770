import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { enter, outputOf } from '../../src/domains/deployments/engine/container/builders/builder-socket.ts';
import { watchBuilder } from '../../src/domains/deployments/engine/container/builders/builder-watch.ts';
import { LABELS } from '../../src/domains/deployments/engine/container/names.ts';
import { MACHINE_OF_BUILDS } from '../../src/domains/deployments/engine/container/project-networks.ts';
import { findPrograms } from '../../src/domains/deployments/engine/process/find-program.ts';
import { type DockerDaemon, hasDocker, startDockerDaemon, until } from '../docker-daemon.ts';
import { type GitServer, startGitServer } from '../git-server.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from './engine-world.ts';

const runnable = hasDocker() && ['nft', 'iptables', 'ip', 'git'].map(requireTool).every(Boolean);

const MB = 1024 ** 2;
const SMALL = 'test-small:1';
/** Of the machine alone: no setting names it. */
const PRIVATE = 'test-private:1';
const METADATA = '169.254.169.254';

const run = promisify(execFile);
let daemon: DockerDaemon;
let git: GitServer;
let world: EngineWorld;
const servers: Server[] = [];

const baseImages = {
  ...{ node: 'nowhere.invalid/node', python: 'nowhere.invalid/python', debian: 'nowhere.invalid/debian' },
  static: SMALL,
};
const env = () => ({
  ...{ DEPLOY_RUNTIME: 'docker', DOCKER_HOST: daemon.host, BASE_IMAGE_STATIC: baseImages.static },
  ...{ BASE_IMAGE_NODE: baseImages.node, BASE_IMAGE_PYTHON: baseImages.python },
  BASE_IMAGE_DEBIAN: baseImages.debian,
});

async function listen(host: string): Promise<number> {
  const server = createServer((socket) =>
    socket.on('error', () => {}).end(`reached by ${socket.remoteAddress}\n`),
  );
  servers.push(server.listen(0, host));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

let given: number;
let ofLoopback: number;
let ofMachine: number;
let ofMetadata: number;

describe.skipIf(!runnable)('builds', () => {
  beforeAll(async () => {
    [daemon, git] = await Promise.all([startDockerDaemon(), startGitServer()]);
    await Promise.all([SMALL, PRIVATE].map(makeSmall));
    await daemon.addBuilder({ baseImages });
    await run('ip', ['address', 'add', `${METADATA}/32`, 'dev', 'lo']);
    given = await listen('127.0.0.1');
    ofLoopback = await listen('127.0.0.1');
    ofMachine = await listen('0.0.0.0');
    ofMetadata = await listen(METADATA);
    const limits = { buildMemory: 256 * MB, buildBytes: 24 * MB, cacheBytes: 64 * MB, builderDiskTime: 300 };
    world = await createEngineWorld({ limits, ports: [given], env: env() });
  });

  afterAll(async () => {
    await world?.close();
    for (const server of servers) server.close();
    if (runnable) await run('ip', ['address', 'del', `${METADATA}/32`, 'dev', 'lo']);
    await Promise.all([daemon?.close(), git?.close()]);
  });

  /** A shell and what speaks TCP, in a megabyte. */
  async function makeSmall(name: string): Promise<void> {
    const [busybox = ''] = findPrograms('busybox', process.env.PATH ?? '');
    const archive = pack();
    archive.entry({ name: 'bin/busybox', mode: 0o755 }, readFileSync(busybox));
    for (const program of ['sh', 'cat', 'nc', 'mkdir', 'tail', 'dd', 'sleep', 'ip'])
      archive.entry({ name: `bin/${program}`, type: 'symlink', linkname: 'busybox' });
    archive.finalize();
    const [repo, tag] = name.split(':');
    // It is a stream, of which the typings know less.
    const tar = archive as unknown as NodeJS.ReadableStream;
    for await (const _ of await daemon.docker.importImage(tar, { repo, tag }));
  }

  let made = 0;
  /** A site that a Dockerfile makes in `/out`; it is built only where builds are kept apart. */
  async function site(dockerfile: string): Promise<TestProject> {
    made += 1;
    await git.createRepository(`site${made}`, { Dockerfile: dockerfile });
    return world.project(git.url(`site${made}`), {
      ...{ framework: 'static', buildsApart: true },
      settings: { ...DETECTED_SETTINGS, outputDirectory: 'out' },
    });
  }
  const SITE = `FROM ${SMALL}\nRUN mkdir /out\n`;
  const live = async (lines: string): Promise<{ project: TestProject; text: string }> => {
    const project = await site(`${SITE}${lines}`);
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    return { project, text: (await world.ask(project)).text };
  };
  const failure = async (dockerfile: string) => {
    const { outcome } = await world.deploy(await site(dockerfile));
    return 'error' in outcome ? outcome.error : outcome.status;
  };
  const inBuilder = async (container: Docker.Container, script: string) =>
    text(outputOf(await enter(container, ['busybox', 'sh', '-c', script])));
  const ofProject = ({ projectId }: TestProject) => ({
    filters: { label: [`${LABELS.builder}=${projectId}`] },
  });

  test('are said to be kept apart, and a site is built so', async () => {
    const project = await site(`${SITE}RUN echo built > /out/index.html\n`);
    // Another builder would take the place of the first, and end its build.
    const both = await Promise.all([world.deploy(project), world.deploy(project)]);
    expect(both.map(({ outcome }) => outcome)).toEqual(Array(2).fill({ status: 'running' }));
    expect((await world.ask(project)).text).toBe('built\n');
    expect(world.engine.isolation()).toContainEqual(expect.objectContaining({ name: 'Builds', holds: true }));
    // Nothing of it is the machine's.
    const { docker } = daemon;
    expect(
      await docker.listImages({ filters: { label: [`${LABELS.project}=${project.projectId}`] } }),
    ).toEqual([]);
    const [builder] = await docker.listContainers(ofProject(project));
    const container = docker.getContainer(builder?.Id ?? '');
    const { HostConfig, Mounts } = await container.inspect();
    expect(HostConfig).toMatchObject({ Privileged: false, Memory: 256 * MB, Devices: null });
    expect(Mounts.map(({ Type, Destination }) => [Type, Destination])).toEqual([
      ['volume', '/var/lib/docker'],
    ]);
    // By these, root of its files would be root of the machine. They are opened, and not written to.
    const files = ['/proc/sys/kernel/core_pattern', '/proc/sys/vm/overcommit_memory', '/proc/sysrq-trigger'];
    const attempts = files.map((file) => `(: >> ${file}) && echo ${file}`);
    expect(await inBuilder(container, `${attempts.join('; ')}; cat /proc/kcore; echo end`)).toBe('end\n');
    await world.engine.removeProject(project.projectId);
    expect(await docker.listContainers({ all: true, ...ofProject(project) })).toEqual([]);
    expect(await docker.listNetworks(ofProject(project))).toEqual([]);
    expect((await docker.listVolumes(ofProject(project))).Volumes ?? []).toEqual([]);
  });

  test('reach what apps are given, and nothing else of this machine, of others, or told of it', async () => {
    const { docker } = daemon;
    const neighbour = await live('RUN echo hi > /out/index.html\n');
    const [builder] = await docker.listContainers(ofProject(neighbour.project));
    const container = docker.getContainer(builder?.Id ?? '');
    const { NetworkSettings } = await container.inspect();
    const [network] = Object.values(NetworkSettings.Networks);
    const Cmd = ['busybox', 'nc', '-ll', '-p', '7777', '-e', 'cat', '/proc/version'];
    await (await container.exec({ Cmd })).start({ Detach: true });
    const app = await docker.createContainer({
      ...{ Image: SMALL, Cmd: ['busybox', 'nc', '-ll', '-p', '7777', '-e', 'cat', '/proc/version'] },
      HostConfig: { NetworkMode: network ? Object.keys(NetworkSettings.Networks)[0] : '' },
    });
    onTestFinished(() => app.remove({ force: true }));
    await app.start();
    const beside = Object.values((await app.inspect()).NetworkSettings.Networks)[0]?.IPAddress;
    // Both are there, for this machine.
    for (const host of [network?.IPAddress, beside])
      await until(() =>
        once(
          connect(7777, host).on('error', () => {}),
          'connect',
        ),
      );
    const [own] = await docker.listNetworks({ filters: { name: ['bridge'] } });
    const places = [
      `${MACHINE_OF_BUILDS} ${given}`,
      `${MACHINE_OF_BUILDS} ${ofLoopback}`,
      `${MACHINE_OF_BUILDS} ${ofMachine}`,
      `127.0.0.1 ${ofLoopback}`,
      `${METADATA} ${ofMetadata}`,
      `${network?.Gateway} ${ofMachine}`,
      `${own?.IPAM?.Config?.[0]?.Gateway} ${ofMachine}`,
      `${network?.IPAddress} 7777`,
      `${beside} 7777`,
    ];
    const ask = places.map((place) => `(nc -w 3 ${place} </dev/null || echo refused)`).join('; ');
    const { text } = await live(`RUN (${ask}) > /out/index.html 2>/dev/null\n`);
    const refused = Array(places.length - 1).fill('refused');
    expect(text.trim().split('\n')).toEqual([expect.stringMatching(/^reached by 198\.19\./), ...refused]);
    for (const place of [
      `${METADATA}:${ofMetadata}`,
      `127.0.0.1:${ofLoopback}`,
      `${network?.Gateway}:${ofMachine}`,
    ])
      expect(await failure(`${SITE}ADD http://${place}/ /out/index.html\n`)).toMatch(/refused|reset by peer/);
  });

  test('begin with no image of this machine but those of its settings', async () => {
    expect(await failure(`FROM ${PRIVATE}\nRUN mkdir /out\n`)).toContain(
      `the image ${PRIVATE} could not be had`,
    );
    expect(await failure(`${SITE}COPY --from=${PRIVATE} /bin/busybox /out/index.html\n`)).toContain(
      `the image ${PRIVATE} could not be had`,
    );
  });

  test('are ended where they use more memory or disk than a build may', async () => {
    const hungry = await failure(`${SITE}RUN tail /dev/zero\n`);
    expect(hungry).toBe(
      'Build failed: tail /dev/zero (step 3/3) ran out of memory (256 MB). See the log for details.',
    );
    const large = await failure(`${SITE}RUN dd if=/dev/zero of=/large bs=1M count=100; sleep 60\n`);
    expect(large).toBe('Build failed: it was stopped because it used more than 48 MB of disk.');
    // What cannot be measured is not let go on.
    const unseen = await daemon.docker.createContainer({ Image: SMALL, Cmd: ['true'] });
    using watch = watchBuilder(daemon.docker, unseen, { buildBytes: MB, builderDiskTime: 50 });
    await once(watch.signal, 'abort');
    expect(watch.signal.reason.message).toBe('its use of the disk could not be measured');
  });

  test('leave no builder behind with the server, and their cache to the next one', async () => {
    const lines = 'RUN cat /proc/uptime > /out/index.html\n';
    const { project, text } = await live(lines);
    const { dataDir, live: apps } = world;
    await world.engine.stop();
    const all = { filters: { label: [LABELS.builder] } };
    expect(await daemon.docker.listContainers({ all: true, ...all })).toEqual([]);
    expect(await daemon.docker.listNetworks(all)).toEqual([]);
    world = await createEngineWorld({ dataDir, live: apps, ports: [given], env: env() });
    await git.commit(`site${made}`, { 'README.md': 'changed' }, 'Change it');
    const { outcome, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect((await world.ask(project)).text).toBe(text);
  });

  test('of whoever is not trusted fail where there is no builder, and those of others are made without', async () => {
    const BASE_IMAGE_DEBIAN = 'nowhere.invalid/another';
    const bare = await createEngineWorld({ env: { ...env(), BASE_IMAGE_DEBIAN } });
    try {
      const project = await site(`${SITE}RUN echo built > /out/index.html\n`);
      const refused = await bare.deploy(project);
      expect(refused.outcome).toMatchObject({
        ...{ status: 'failed', step: 'build' },
        error: expect.stringMatching(
          /^Build failed: this server can't keep builds apart now\. The image that/,
        ),
      });
      const fact = { name: 'Builds', holds: false, detail: expect.stringContaining('BASE_IMAGE_DEBIAN') };
      expect(bare.engine.isolation()).toContainEqual(expect.objectContaining(fact));
      const { outcome, log } = await bare.deploy({ ...project, buildsApart: false });
      expect(outcome, log()).toEqual({ status: 'running' });
    } finally {
      await bare.close();
    }
  });
});
