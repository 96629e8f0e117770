import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Deployment, Project } from '@nephos/contracts';
import type { Console } from './console.ts';
import type { Finding } from './measure.ts';

const SWITCHES = 20;
const PER_SECOND = 200;
const CONNECTIONS = 50;
const RESTART_MS = 60_000;

/** Requests at a steady rate over connections that are kept, while a project is deployed again and again. */
export async function measureSwitch(
  console: Console,
  { id, slug }: Pick<Project, 'id' | 'slug'>,
): Promise<Finding> {
  const load = startLoad({
    ...{ port: console.port, host: `${slug}.localhost:${console.port}`, perSecond: PER_SECOND },
  });
  for (let n = 0; n < SWITCHES; n += 1) await restart(console, id);
  const { sent, failures } = await load.stop();
  return {
    name: `requests that fail over ${SWITCHES} switches at ${PER_SECOND} a second`,
    detail: `${failuresOf(failures, sent)}; target 0`,
    met: failures.length === 0,
  };
}

async function restart(console: Console, projectId: string): Promise<void> {
  const { id } = (await console.call('POST', `/api/projects/${projectId}/restart`)) as Deployment;
  for (const deadline = Date.now() + RESTART_MS; Date.now() < deadline; await wait(100)) {
    const { status, error } = (await console.call('GET', `/api/deployments/${id}`)) as Deployment;
    if (status === 'running') return;
    if (status === 'failed') throw new Error(error ?? 'the restart failed');
  }
  throw new Error('the restart took too long');
}

/** How many failed, and of what kinds. */
export function failuresOf(failures: readonly string[], sent: number): string {
  const kinds = [...new Set(failures)].map(
    (kind) => `${failures.filter((failure) => failure === kind).length} × ${kind}`,
  );
  return `${failures.length} of ${sent}${kinds.length > 0 ? `: ${kinds.join(', ')}` : ''}`;
}

/** Sends requests at a steady rate over kept connections of this machine, until it is stopped. */
export function startLoad({ port, host, perSecond }: { port: number; host: string; perSecond: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const failures: string[] = [];
  const answers: Promise<void>[] = [];
  let slowest = 0;
  const ask = () =>
    new Promise<void>((resolve) => {
      const asked = performance.now();
      const call = request({ agent, port, host: '127.0.0.1', path: '/', headers: { host } }, (response) => {
        response.once('error', (error) => fail(`answer: ${error.message}`));
        response
          .once('close', () => {
            slowest = Math.max(slowest, performance.now() - asked);
            resolve();
          })
          .resume();
        if (response.statusCode !== 200) fail(`status ${response.statusCode}`);
      });
      const fail = (what: string) =>
        failures.push(`${what}${call.reusedSocket ? ' on a kept connection' : ''}`);
      call.once('error', (error: NodeJS.ErrnoException) => {
        fail(error.code ?? error.message);
        resolve();
      });
      call.end();
    });
  let sent = 0;
  const begun = Date.now();
  // What a busy moment kept from being sent follows at once, so that the rate is kept.
  const timer = setInterval(() => {
    for (const due = ((Date.now() - begun) / 1000) * perSecond; sent < due; sent += 1) answers.push(ask());
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(answers);
      agent.destroy();
      /** Milliseconds. */
      return { sent, failures, slowest: Math.round(slowest) };
    },
  };
}
