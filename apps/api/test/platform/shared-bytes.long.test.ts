import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '@nephos/db/embedded';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, digestOf, makeToken, registryClient, withQuery } from '../containers/registry-client.ts';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { keyFor } from '../storage/s3-world.ts';
import { uploaded } from '../storage/storage-world.ts';
import { callerOf, type Person, signUp } from '../world.ts';

const MB = 1024 * 1024;
const SIZE = 18 * MB;

let folder: string;
let postgres: EmbeddedPostgres;
/** A Nephos whose bucket the others have their objects in. */
let s3: KillableServer;
let first: KillableServer;
let second: KillableServer;
let ada: Person;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-shared-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'pg') });
  s3 = await createKillableServer({ BILLING: 'off' });
  await s3.start();
  const operator = await signUp(s3.url, 'Operator');
  await operator.rpc.buckets.create.mutate({ name: 'objects' });
  const { accessKeyId, secretAccessKey } = await keyFor(operator);
  const settings = {
    ...{ DATABASE_URL: postgres.url, SECRETS_KEY: randomBytes(32).toString('hex') },
    ...{ S3_ENDPOINT: s3.url, S3_BUCKET: 'objects' },
    ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
  };
  first = await createKillableServer(settings);
  second = await createKillableServer(settings);
  await Promise.all([first.start(), second.start()]);
  ada = await signUp(first.url, 'Ada');
  token = (await makeToken(ada)).token;
});

afterAll(async () => {
  await Promise.all([first.close(), second.close(), s3.close()]);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const registryOf = ({ url }: KillableServer): Call =>
  registryClient({ url, username: 'ada', password: token });

/** Sends a part whose end never comes: the server is killed before. */
async function sendForEver(call: Call, location: string, bytes: Buffer): Promise<void> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(bytes)),
  });
  await call('PATCH', location, { body }).catch(() => {});
}

test('a file that one server was given is read at the other, and gone from both at once', async () => {
  const bytes = randomBytes(MB);
  const { id } = await uploaded(first, ada, bytes);
  const open = ({ url }: KillableServer) =>
    fetch(`${url}/api/storage/${id}/download`, { headers: { cookie: ada.cookie } });
  for (const server of [first, second]) {
    expect(Buffer.from(await (await open(server)).arrayBuffer()).equals(bytes)).toBe(true);
  }
  expect((await callerOf(second.url, ada.cookie).rest(`DELETE /api/storage/${id}`)).status).toBe(200);
  for (const server of [first, second]) expect((await open(server)).status).toBe(404);
});

test('a push goes on at the other server where one was killed in the middle of it', {
  timeout: 120_000,
}, async () => {
  const [atFirst, atSecond] = [registryOf(first), registryOf(second)];
  const content = randomBytes(SIZE);
  const digest = digestOf(content);
  const location = (await atFirst('POST', '/v2/ada/app/blobs/uploads/')).headers.get('location') ?? '';
  // Asks for the permission to write first: a stream cannot be sent twice.
  const beginning = await atFirst('PATCH', location, { body: content.subarray(0, MB) });
  expect(beginning.status).toBe(202);
  const sending = sendForEver(atFirst, location, content.subarray(MB, 17 * MB));
  const arrived = async (call: Call) =>
    Number((await call('GET', location)).headers.get('range')?.slice(2)) + 1;
  await expect.poll(() => arrived(atSecond)).toBe(16 * MB);

  // While the first one is alive, the push is its own.
  const patch = (size: number) => ({
    body: content.subarray(size),
    headers: { 'content-range': `${size}-${SIZE - 1}` },
  });
  expect((await atSecond('PATCH', location, patch(16 * MB))).status).toBe(416);
  await first.kill();
  await sending;
  const size = await arrived(atSecond);
  expect(size).toBe(16 * MB);
  const goOn = async () => (await atSecond('PATCH', location, patch(size))).status;
  await expect.poll(goOn, { timeout: 60_000, interval: 1000 }).toBe(202);
  expect((await atSecond('PUT', withQuery(location, { digest }))).status).toBe(201);

  await first.start();
  for (const call of [registryOf(first), atSecond]) {
    const pulled = await call('GET', `/v2/ada/app/blobs/${digest}`);
    expect(pulled.body.equals(content)).toBe(true);
  }
});

test('what is there is read on once the store that was killed is back, and everything else works', {
  timeout: 120_000,
}, async () => {
  const file = await uploaded(first, ada, 'lasting');
  const download = () =>
    fetch(`${second.url}/api/storage/${file.id}/download`, { headers: { cookie: ada.cookie } });
  await s3.kill();
  const refused = await download();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('2');
  expect((await callerOf(second.url, ada.cookie).rpc.storage.list.query({}))[0]?.id).toBe(file.id);
  await s3.start();
  expect(await (await download()).text()).toBe('lasting');
});
