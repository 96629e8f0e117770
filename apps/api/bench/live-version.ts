import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Project } from '@nephos/contracts';
import type { Console } from './console.ts';
import { type Finding, median } from './measure.ts';

/** How often each way to a new version is gone. */
export const VERSIONS = 10;
const POLL_MS = 10;
const PATIENCE = 120_000;

/** The files of an app without packages, which says its version. */
export function helloFiles(version: number): Record<string, string> {
  return {
    'package.json': '{ "name": "hello", "scripts": { "start": "node server.js" } }',
    'server.js': `require('node:http')
  .createServer((request, response) => response.end('Hello World, version ${version}!'))
  .listen(process.env.PORT || 3000);
process.on('SIGTERM', () => process.exit(0));
`,
  };
}

async function askApp({ port }: Console, { slug }: Pick<Project, 'slug'>): Promise<string> {
  const headers = { host: `${slug}.localhost:${port}` };
  const call = request({ port, host: '127.0.0.1', headers }).end();
  const [response] = await once(call, 'response');
  return text(response);
}

/** Resolves as soon as the app answers with this version. */
export async function untilLive(
  console: Console,
  project: Pick<Project, 'slug'>,
  version: number,
): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; ; await wait(POLL_MS)) {
    const answer = await askApp(console, project).catch(() => '');
    if (answer === `Hello World, version ${version}!`) return;
    if (Date.now() > deadline) throw new Error(`version ${version} is not live: ${answer}`);
  }
}

/** Of the milliseconds that each version took. */
export function liveFinding(name: string, times: readonly number[], target: number): Finding {
  const worst = Math.max(...times);
  return {
    name: `${name}, ${times.length} times`,
    detail: `median ${(median(times) / 1000).toFixed(2)} s, worst ${(worst / 1000).toFixed(2)} s; target < ${target / 1000} s`,
    met: worst < target,
  };
}
