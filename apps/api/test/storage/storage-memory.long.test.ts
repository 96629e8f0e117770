import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Console, startConsole } from '../../bench/console.ts';
import { documented, MB } from './storage-world.ts';

const FILES = 40;
const FILE = 4 * MB;

let server: Console;

beforeAll(async () => {
  server = await startConsole();
});

afterAll(() => server.stop());

async function upload(bytes: Buffer): Promise<void> {
  const response = await fetch(`${server.url}/api/storage/upload?fileName=x`, {
    method: 'POST',
    headers: { cookie: server.cookie },
    body: bytes,
  });
  expect(response.status).toBe(201);
}

/** The most memory that the server has had since it was last asked, in megabytes. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

test('a list of 160 MB of data leaves the memory flat', async () => {
  for (let made = 0; made < FILES; made += 1) await upload(Buffer.alloc(FILE, made));
  const { hostname, port } = new URL(server.url);
  const headers = { cookie: server.cookie, 'accept-encoding': 'br, gzip' };
  const call = request({ hostname, port, path: '/api/storage', headers }).end();
  const [response] = await once(call, 'response');
  let received = 0;
  for await (const chunk of response) received += (chunk as Buffer).length;
  expect(received).toBeGreaterThan((FILES * FILE * 4) / 3);
  expect(await peak()).toBeLessThan(300);
});

test('eight of the largest files at once, as JSON, take less than 512 MB', async () => {
  const body = JSON.stringify(documented(Buffer.alloc(10 * MB, 1)));
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      fetch(`${server.url}/api/storage`, {
        method: 'POST',
        headers: { cookie: server.cookie, 'content-type': 'application/json' },
        body,
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(await peak()).toBeLessThan(512);
});
