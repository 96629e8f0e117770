import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import Docker from 'dockerode';
import { pack } from 'tar-stream';
import { requireTool } from '../../../tools/require-tool.ts';
import { builderImage } from '../src/domains/deployments/engine/container/builders/builder-image.ts';

const run = promisify(execFile);

/** A daemon of a test's own, with a registry to pull from, in folders of their own. */
export interface DockerDaemon {
  /** As `DOCKER_HOST` has it. */
  host: string;
  docker: Docker;
  /** Makes an image of Node.js and these files in `/app`, pushes it, and forgets it here. Answers its reference. */
  addImage(name: string, files: Record<string, string>, config?: ImageConfig): Promise<string>;
  /** Makes the image that builders run, of this machine's own programs, under the name that a server of these settings asks for. */
  addBuilder(settings: Parameters<typeof builderImage>[0]): Promise<void>;
  /** Pushes an image without programs, for another kind of processor. */
  addForeignImage(name: string, architecture: string): Promise<string>;
  /** Ends the daemon by a signal and starts it again, with `meanwhile` in between. Containers go on where they may. */
  restart(signal: NodeJS.Signals, options?: RestartOptions): Promise<void>;
  close(): Promise<void>;
}

export interface RestartOptions {
  meanwhile?: () => Promise<void>;
  /** Whether the next life takes containers over that run, or ends them. */
  liveRestore?: boolean;
}

export interface ImageConfig {
  command?: string[];
  /** Lines of a Dockerfile, as `docker commit --change` takes them. */
  changes?: string[];
}

/** Whether such a daemon can be had here; says why not. */
export function hasDocker(): boolean {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) console.warn('skipped: a daemon of a test is started as root');
  return ['dockerd', 'docker-registry', 'busybox'].map(requireTool).every(Boolean) && isRoot;
}

const BASE = 'test-base:latest';

/** Its network of builds is made for it and gone with it: a daemon without one deletes the machine's own `docker0`. */
export async function startDockerDaemon(): Promise<DockerDaemon> {
  const bridge = `nbt${process.pid}`;
  const root = await mkdtemp(join(tmpdir(), 'nephos-docker-'));
  const socket = join(root, 'docker.sock');
  const docker = new Docker({ socketPath: socket, host: undefined } as unknown as Docker.DockerOptions);
  await makeBridge(bridge);
  const containerd = await startContainerd(root);
  const start = (liveRestore = true) =>
    startDaemon(root, docker, {
      bridge,
      args: ['--containerd', join(root, 'containerd.sock'), `--live-restore=${liveRestore}`],
    });
  let daemon = await start();
  const registry = await startRegistry(root);
  await importBase(root, docker);
  return {
    host: `unix://${socket}`,
    docker,
    addImage: (name, files, config = {}) =>
      addImage(docker, `${registry.host}/${name}:latest`, { files, config }),
    addBuilder: (settings) => importBuilder(root, docker, builderImage(settings)),
    addForeignImage: (name, architecture) =>
      addForeignImage(docker, `${registry.host}/${name}:latest`, architecture),
    async restart(signal, { meanwhile = async () => {}, liveRestore = true } = {}) {
      daemon.kill(signal);
      await once(daemon, 'exit');
      await meanwhile();
      daemon = await start(liveRestore);
    },
    async close() {
      const containers = await docker.listContainers({ all: true });
      await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
      await docker.pruneNetworks();
      registry.child.kill();
      daemon.kill('SIGTERM');
      await once(daemon, 'exit');
      containerd.kill('SIGTERM');
      await once(containerd, 'exit');
      await run('ip', ['link', 'del', bridge]);
      // What the daemon mounts on itself, it leaves when it is killed, and the host's network of a container in any case.
      for (const mount of ['data', 'exec/netns/default'])
        await run('umount', ['-l', join(root, mount)]).catch(() => {});
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function makeBridge(name: string): Promise<void> {
  await run('ip', ['link', 'add', name, 'type', 'bridge']);
  await run('ip', [
    'address',
    'add',
    `10.${200 + (process.pid % 50)}.${process.pid % 250}.1/24`,
    'dev',
    name,
  ]);
  await run('ip', ['link', 'set', name, 'up']);
}

/**
 * By itself, as systems have it: containers are its, and outlive a daemon that is killed. `within` is a command that begins it
 * in its place.
 */
export async function startContainerd(root: string, within: readonly string[] = []): Promise<ChildProcess> {
  const folder = join(root, 'containerd');
  const config = `${folder}.toml`;
  const lines = [
    ...['version = 2', `root = "${folder}/root"`, `state = "${folder}/state"`],
    ...['disabled_plugins = ["io.containerd.grpc.v1.cri"]', '[grpc]', `address = "${folder}.sock"`],
  ];
  await writeFile(config, lines.join('\n'));
  const words = [...within, 'containerd', '--config', config, '--log-level', 'error'];
  const [program = '', ...args] = words;
  const child = spawn(program, args, { stdio: 'ignore' });
  await until(() => access(`${folder}.sock`));
  return child;
}

export interface DaemonOptions {
  bridge: string;
  /** A command that begins the daemon in its place. */
  within?: string[];
  args: string[];
}

export async function startDaemon(
  root: string,
  docker: Docker,
  { bridge, within = [], args: more }: DaemonOptions,
): Promise<ChildProcess> {
  const [program = 'dockerd', ...args] = [
    ...[...within, 'dockerd'],
    ...['--host', `unix://${join(root, 'docker.sock')}`, '--data-root', join(root, 'data')],
    ...['--exec-root', join(root, 'exec'), '--pidfile', join(root, 'pid'), '--bridge', bridge],
    ...['--log-level', 'error'],
    ...more,
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
    if (process.env.TEST_LOG) process.stderr.write(text);
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`dockerd ended with ${child.exitCode}: ${said}`);
    await docker.ping();
  });
  return child;
}

/** Tries ten times a second: a daemon that begins beside another one on a busy machine takes half a minute. */
export async function until(work: () => Promise<unknown>, attempts = 900): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Debian's registry, on loopback, where Docker takes it without a certificate. */
export async function startRegistry(
  root: string,
  address = '127.0.0.1',
): Promise<{ host: string; child: ChildProcess }> {
  const port = await freePort();
  const config = join(root, 'registry.json');
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(root, 'registry') } },
    http: { addr: `${address}:${port}` },
  };
  await writeFile(config, JSON.stringify(settings));
  const child = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  await until(() => fetch(`http://${address}:${port}/v2/`));
  return { host: `${address}:${port}`, child };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '0.0.0.0', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Node.js with the libraries that it loads, and busybox for a shell and all the rest. */
export async function importBase(root: string, docker: Docker): Promise<void> {
  const rootfs = join(root, 'rootfs');
  for (const folder of ['app', 'bin', 'etc', 'tmp', 'root'])
    await mkdir(join(rootfs, folder), { recursive: true });
  await copyProgram(rootfs, process.execPath, '/bin/node');
  const places = ['ls', 'cat', 'sleep', 'id', 'touch', 'env', 'stty', 'wget', 'nc', 'ping', 'mount'];
  await copyBusybox(rootfs, ['sh', ...places]);
  await writeFile(join(rootfs, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\napp:x:1234:1234::/app:/bin/sh\n');
  await importFolder(rootfs, docker, BASE);
}

/** What Docker consists of, with the libraries of iptables that it loads by itself, and busybox. */
async function importBuilder(root: string, docker: Docker, name: string): Promise<void> {
  const rootfs = join(root, 'builder');
  for (const folder of ['bin', 'etc', 'tmp', 'run', 'var/lib'])
    await mkdir(join(rootfs, folder), { recursive: true });
  const programs = ['dockerd', 'docker', 'containerd', 'containerd-shim-runc-v2', 'runc', 'iptables'];
  for (const program of programs) await copyProgram(rootfs, await pathOf(program), `/bin/${program}`);
  const libraries = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/xtables`;
  await cp(libraries, join(rootfs, libraries), { recursive: true, dereference: true });
  await copyBusybox(rootfs, ['sh', 'cat', 'du', 'grep', 'mkdir', 'mount']);
  await importFolder(rootfs, docker, name);
}

async function pathOf(program: string): Promise<string> {
  const { stdout } = await run('sh', ['-c', 'command -v "$0"', program]);
  return stdout.trim();
}

/** With the libraries that it is linked to. */
async function copyProgram(rootfs: string, from: string, to: string): Promise<void> {
  const copy = async (path: string, place = path) => {
    await mkdir(dirname(join(rootfs, place)), { recursive: true });
    await cp(await realpath(path), join(rootfs, place));
  };
  await copy(from, to);
  const { stdout } = await run('ldd', [await realpath(from)]).catch(() => ({ stdout: '' }));
  for (const [library] of stdout.matchAll(/\/\S+(?= \(0x)/g)) await copy(library);
}

async function copyBusybox(rootfs: string, names: readonly string[]): Promise<void> {
  await copyProgram(rootfs, await pathOf('busybox'), '/bin/busybox');
  for (const name of names) await symlink('busybox', join(rootfs, 'bin', name));
}

async function importFolder(rootfs: string, docker: Docker, name: string): Promise<void> {
  const [repo, tag] = splitTag(name);
  const tar = spawn('tar', ['-C', rootfs, '-c', '.'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const imported = await docker.importImage(tar.stdout, { repo, tag });
  for await (const _ of imported);
}

export async function addImage(
  docker: Docker,
  reference: string,
  {
    files,
    config: { command = ['node', 'server.js'], changes = [] },
  }: { files: Record<string, string>; config: ImageConfig },
): Promise<string> {
  const container = await docker.createContainer({ Image: BASE, Cmd: ['/bin/sh'] });
  const archive = pack();
  for (const [name, text] of Object.entries(files)) archive.entry({ name }, text);
  archive.finalize();
  // It is a stream, of which the typings know less.
  await container.putArchive(archive as unknown as NodeJS.ReadableStream, { path: '/app' });
  const [repo, tag] = splitTag(reference);
  const lines = ['WORKDIR /app', 'ENV PATH=/bin', `CMD ${JSON.stringify(command)}`, ...changes];
  await container.commit({ repo, tag, changes: lines });
  await container.remove();
  await push(docker, reference);
  await docker.getImage(reference).remove();
  return reference;
}

/** As `docker save` writes one (Docker Image Specification v1.2), with a single file in it. */
async function addForeignImage(docker: Docker, reference: string, architecture: string): Promise<string> {
  const layer = pack();
  layer.entry({ name: 'README' }, 'Nothing runs here.');
  layer.finalize();
  const bytes = await buffer(layer);
  const diff = createHash('sha256').update(bytes).digest('hex');
  const config = {
    ...{ architecture, os: 'linux', config: { Cmd: ['/bin/none'] } },
    rootfs: { type: 'layers', diff_ids: [`sha256:${diff}`] },
  };
  const archive = pack();
  archive.entry({ name: 'layer.tar' }, bytes);
  archive.entry({ name: 'config.json' }, JSON.stringify(config));
  const manifest = [{ Config: 'config.json', RepoTags: [reference], Layers: ['layer.tar'] }];
  archive.entry({ name: 'manifest.json' }, JSON.stringify(manifest));
  archive.finalize();
  const loaded = await docker.loadImage(Readable.from([await buffer(archive)]));
  for await (const _ of loaded);
  await push(docker, reference);
  await docker.getImage(reference).remove();
  return reference;
}

function splitTag(reference: string): [string, string] {
  const at = reference.lastIndexOf(':');
  return [reference.slice(0, at), reference.slice(at + 1)];
}

async function push(docker: Docker, reference: string): Promise<void> {
  // An empty log-in: the daemon wants the header.
  const stream = await docker
    .getImage(reference)
    .push({ authconfig: { username: '', password: '', serveraddress: '' } });
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
  });
}
