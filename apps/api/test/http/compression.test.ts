import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
});

afterAll(() => world.close());

function ask(url: string, encodings?: string) {
  const headers = { cookie: ada.cookie, ...(encodings && { 'accept-encoding': encodings }) };
  return world.app.inject({ url, headers });
}

const input = (value: object) => encodeURIComponent(JSON.stringify(value));
const BATCH = `/trpc/marketplace.list,projects.runtimes?batch=1&input=${input({})}`;

test.each(['/api/openapi.json', '/api/marketplace', BATCH, '/trpc/marketplace.list'])(
  '%s is packed as its client accepts, and says the same',
  async (url) => {
    const plain = await ask(url);
    expect(plain.statusCode).toBe(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encodings, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const packed = await ask(url, encodings);
      expect([packed.statusCode, packed.headers['content-encoding']]).toEqual([200, encoding]);
      expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
      expect(packed.headers.vary).toContain('accept-encoding');
      expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    }
  },
);

test('what is small is sent as it is, at both doors', async () => {
  for (const url of ['/api/auth/user', '/trpc/auth.user']) {
    const { statusCode, headers } = await ask(url, 'br');
    expect([statusCode, headers['content-encoding']]).toEqual([200, undefined]);
  }
});

test('a secret is not packed, nor what shares an answer with it, nor the page of passwords', async () => {
  const connection = input({ 1: { id: '0198c0de-0000-7000-8000-000000000000' } });
  const shared = await ask(`/trpc/marketplace.list,databases.connection?batch=1&input=${connection}`, 'br');
  expect(shared.rawPayload.length).toBeGreaterThan(10_000);
  expect(shared.headers['content-encoding']).toBeUndefined();
  const page = await world.app.inject({ url: '/api/login', headers: { 'accept-encoding': 'br' } });
  expect(page.rawPayload.length).toBeGreaterThan(1024);
  expect(page.headers['content-encoding']).toBeUndefined();
});

test('of files, the list is packed, and neither their bytes nor the list with these in it', async () => {
  const text = 'the same again and again '.repeat(1000);
  await fetch(`${world.url}/api/storage/upload?fileName=a.txt`, {
    method: 'POST',
    headers: { cookie: ada.cookie, 'content-type': 'text/plain' },
    body: text,
  });
  for (let count = 0; count < 5; count += 1) {
    await ada.rest(`POST /api/storage/upload?fileName=${count}.txt`, { body: 'x' });
  }
  const [withData, list] = await Promise.all([
    ask('/api/storage', 'br'),
    ask('/api/storage?fileData=false', 'br'),
  ]);
  expect(withData.headers['content-encoding']).toBeUndefined();
  expect(list.headers['content-encoding']).toBe('br');
  const files = JSON.parse(brotliDecompressSync(list.rawPayload).toString()) as { id: string }[];
  const bytes = await ask(`/api/storage/${files.at(-1)?.id}/download`, 'br');
  expect([bytes.headers['content-encoding'], bytes.body]).toEqual([undefined, text]);
});

test('a request is read as it is, whatever it says of its packing', async () => {
  const answer = await ada.rest('POST /api/payment-gateway/virtual-accounts', {
    body: { accountName: 'Mine' },
    headers: { 'content-encoding': 'gzip' },
  });
  expect(answer).toMatchObject({ status: 201 });
});
