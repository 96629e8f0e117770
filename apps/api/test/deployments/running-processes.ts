import { readdir, readFile } from 'node:fs/promises';

/** A living process as a test tells it from others. */
export interface RunningProcess {
  pid: number;
  /** Its arguments between spaces. */
  command: string;
  environment: string;
}

async function runningProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [command = '', environment = ''] = await Promise.all(
        ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '')),
      );
      return { pid: Number(pid), command: command.replaceAll('\0', ' ').trim(), environment };
    }),
  );
  // What has ended and waits for its parent has no arguments any more.
  return found.filter(({ command }) => command !== '');
}

/** Those that did not clear their environment, of a deployment's build or app. */
export async function processesOf(deploymentId: string): Promise<RunningProcess[]> {
  const home = `/releases/${deploymentId}/home`;
  return (await runningProcesses()).filter(({ environment }) => environment.includes(home));
}

/** Process ids by a command line. */
export async function pidsOf(command: string): Promise<number[]> {
  return (await runningProcesses())
    .filter((candidate) => candidate.command === command)
    .map(({ pid }) => pid);
}

/** A command that is nobody else's on this machine; it outlasts a test, and ends by itself should it get away. */
export function uniqueSleep(): string {
  return `sleep ${(180 + Math.random()).toFixed(9)}`;
}

/** JavaScript that starts a command without environment, in a session of its own, as a child of nobody of the project's. */
export function escapee(command: string, environment: Record<string, string> = {}): string {
  const marks = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const args = JSON.stringify(['-f', 'env', '-i', ...marks, ...command.split(' ')]);
  return `require('node:child_process').spawnSync('setsid', ${args}, { stdio: 'ignore' });`;
}
