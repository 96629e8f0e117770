import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isInstalled } from '../../../../tools/require-tool.ts';

const START_MS = 20_000;
const STOP_MS = 10_000;

/** A Docker engine of our own, apart from any that the machine has, and its client. */
export interface DockerEngine {
  /** Working folder of the client, and whatever it is to build. */
  folder: string;
  /** Runs `docker` with logins of its own and resolves to what it prints; `input` goes to its standard input. */
  docker(args: readonly string[], input?: string): Promise<string>;
  stop(): Promise<void>;
}

/** Undefined, with the reason printed, where there is no Docker or it cannot start. */
export async function startDockerEngine(): Promise<DockerEngine | undefined> {
  const missing = ['docker', 'dockerd'].filter((name) => !isInstalled(name));
  if (missing.length > 0) return skip(`needs ${missing.join(' and ')} (apt-get install docker.io)`);
  if (process.getuid?.() !== 0) return skip('a Docker engine needs root');
  const home = await mkdtemp(join(tmpdir(), 'nephos-docker-'));
  // In place of the machine's own.
  await writeFile(join(home, 'settings.json'), '{}');
  const daemon = spawn('dockerd', daemonOptions(home), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(daemon, 'exit');
  const lines: string[] = [];
  const listening = Promise.withResolvers<'listening'>();
  createInterface(daemon.stderr).on('line', (line) => {
    lines.push(line);
    if (line.includes('API listen on')) listening.resolve('listening');
  });

  async function stop(): Promise<void> {
    if (daemon.exitCode === null) daemon.kill('SIGTERM');
    const late = await Promise.race([ended, wait(STOP_MS, 'late' as const, { ref: false })]);
    if (late === 'late') daemon.kill('SIGKILL');
    await ended;
    await rm(home, { recursive: true, force: true });
  }

  const first = await Promise.race([listening.promise, ended, wait(START_MS, 'late', { ref: false })]);
  if (first !== 'listening') {
    await stop();
    return skip(`the Docker engine does not start here:\n${lines.slice(-5).join('\n')}`);
  }
  return { folder: home, docker: (args, input) => runClient(home, args, input), stop };
}

/** Nothing of it outside of `home`, and no networks: nothing is run in it. */
function daemonOptions(home: string): string[] {
  return [
    ...['--data-root', join(home, 'data')],
    ...['--exec-root', join(home, 'exec')],
    ...['--pidfile', join(home, 'pid')],
    ...['--host', `unix://${home}/docker.sock`],
    ...['--config-file', join(home, 'settings.json')],
    ...['--bridge=none', '--iptables=false', '--ip-forward=false', '--storage-driver=vfs'],
  ];
}

async function runClient(home: string, args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)('docker', [...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      DOCKER_HOST: `unix://${home}/docker.sock`,
      DOCKER_CONFIG: join(home, 'client'),
      // The builder of the engine itself; the newer one is a program of its own.
      DOCKER_BUILDKIT: '0',
    },
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

function skip(reason: string): undefined {
  console.warn(`skipped: ${reason}`);
}
