import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDocker } from '../container/connect-docker.ts';
import { isInRegistry } from './registry-image.ts';

const IMAGE = {
  reference: 'registry.test/shop@sha256:12',
  credentials: { username: 'ada', password: 'secret' },
};

let home: string;
let answer: (response: ServerResponse) => void;
const asked: [string | undefined, string][] = [];
const docker = createServer(({ url, headers }, response) => {
  asked.push([url, Buffer.from(String(headers['x-registry-auth']), 'base64').toString()]);
  answer(response);
});

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'nephos-docker-'));
  docker.listen(join(home, 'docker.sock'));
  await once(docker, 'listening');
});
afterAll(() => {
  docker.closeAllConnections();
  docker.close();
  rmSync(home, { recursive: true });
});

const isThere = (patience?: number) =>
  isInRegistry(connectDocker(join(home, 'docker.sock')), IMAGE, patience);

test('a registry has what it describes to who has the credentials', async () => {
  answer = (response) => response.end('{"Descriptor":{},"Platforms":[]}');
  expect(await isThere()).toBe(true);
  expect(asked).toEqual([
    ['/distribution/registry.test/shop@sha256:12/json', JSON.stringify(IMAGE.credentials)],
  ]);
});

test.each([
  [
    'does not know',
    (response: ServerResponse) => response.writeHead(404).end('{"message":"manifest unknown"}'),
  ],
  ['refuses', (response: ServerResponse) => response.writeHead(401).end('{"message":"denied"}')],
  ['cannot be asked for', (response: ServerResponse) => response.writeHead(500).end('{"message":"EOF"}')],
  ['is silent about', () => {}],
])('and not what it %s', async (_, how) => {
  answer = how;
  expect(await isThere(500)).toBe(false);
});

test('where Docker is away nobody can say', async () => {
  answer = (response) => response.destroy();
  await expect(isThere()).rejects.toThrow('socket hang up');
});
