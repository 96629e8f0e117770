import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { GB, PLANS } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sweepUploads } from '../../src/domains/containers/registry/upload-store.ts';
import { type Call, digestOf, makeToken, registryClient, withQuery } from '../containers/registry-client.ts';
import { documented, filesOnDisk, MB, upload, uploaded } from '../storage/storage-world.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let replica: World;
let ada: Person;
let asAda: Call;

beforeAll(async () => {
  world = await createWorld({ running: true });
  replica = await createWorld({ databaseUrl: world.databaseUrl });
  ada = await world.as('Ada');
  const { token } = await makeToken(ada);
  asAda = registryClient({ url: world.url, username: ada.user.email, password: token });
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

afterEach(async () => {
  await world.deps.db.deleteFrom('storedFiles').execute();
  await world.deps.db.deleteFrom('containerRepositories').execute();
  await world.deps.db.deleteFrom('containerUploads').execute();
  await world.deps.db.deleteFrom('subscriptions').execute();
});

const LIMIT = PLANS.starter.storage;

/** Leaves room for so many bytes, by a file that nobody had to send. */
async function leaveRoom(bytes: number): Promise<void> {
  const file = { fileName: 'big', filePath: '/', mimeType: 'text/plain', isPublic: false, sha256: '' };
  await world.deps.db
    .insertInto('storedFiles')
    .values({ ...file, ownerId: ada.user.id, objectKey: randomUUID(), fileSize: LIMIT - bytes })
    .execute();
}

const exceeded = {
  status: 403,
  body: {
    code: 'QUOTA_EXCEEDED',
    message: expect.stringMatching(/^Your Starter plan includes 10 GB of storage /),
  },
};

describe('the storage of a plan', () => {
  test('is full to the last byte, and not one further, at each door', async () => {
    const doors = [
      (bytes: string) => upload(world, ada, bytes),
      (bytes: string) => ada.rest('POST /api/storage', { body: documented(bytes) }),
      (bytes: string) => upload(world, ada, bytes, { headers: { 'idempotency-key': randomUUID() } }),
      (bytes: string) =>
        ada.rest('POST /api/storage', {
          body: documented(bytes),
          headers: { 'idempotency-key': randomUUID() },
        }),
    ];
    for (const door of doors) {
      await world.deps.db.deleteFrom('storedFiles').execute();
      await leaveRoom(5);
      expect(await door('123456')).toMatchObject(exceeded);
      expect(await door('12345')).toMatchObject({ status: 201 });
      expect(await door('1')).toMatchObject(exceeded);
      expect(await door('')).toMatchObject({ status: 201 });
    }
    expect(await ada.rpc.storage.create.mutate(documented('1')).catch((error) => error)).toMatchObject({
      data: { httpStatus: 403, reason: 'QUOTA_EXCEEDED' },
    });
  });

  test('says what is in use and what to do, and is made by deleting', async () => {
    await leaveRoom(0);
    const refused = await upload(world, ada, 'x');
    expect(refused.body).toMatchObject({
      message:
        'Your Starter plan includes 10 GB of storage and 10 GB are in use, so this does not fit. ' +
        'Delete files, images or databases, or upgrade your plan under Billing.',
    });
    const [file] = await ada.rpc.storage.list.query();
    await ada.rpc.storage.remove.mutate({ id: file?.id ?? '' });
    await uploaded(world, ada, 'x');
  });

  test('is larger in a larger plan', async () => {
    await leaveRoom(0);
    await world.deps.db
      .insertInto('subscriptions')
      .values({
        userId: ada.user.id,
        planTier: 'professional',
        status: 'active',
        amount: 9900,
        anchorDay: 1,
        renewalDate: '2099-01-01T00:00:00.000Z',
      })
      .execute();
    await uploaded(world, ada, 'x');
  });

  test('is for each account alone', async () => {
    await leaveRoom(0);
    await uploaded(world, await world.as('Bob'), 'x');
  });

  test('is not passed by many at once, on two replicas', async () => {
    const before = (await filesOnDisk(world)).length + (await filesOnDisk(replica)).length;
    await leaveRoom(3 * MB);
    const bytes = randomBytes(MB);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => upload(nth % 2 ? replica : world, ada, bytes)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(3).fill(201), ...Array(7).fill(403)]);
    expect((await filesOnDisk(world)).length + (await filesOnDisk(replica)).length).toBe(before + 3);
  });

  test('is looked at before a body that cannot fit is sent', async () => {
    await leaveRoom(100);
    const { port, host } = new URL(world.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/storage/upload?fileName=a HTTP/1.1\r\nhost: ${host}\r\ncookie: ${ada.cookie}\r\n` +
        'content-length: 101\r\ncontent-type: text/plain\r\n\r\n',
    );
    const [answer] = (await new Promise((resolve) => socket.once('data', (data) => resolve([data])))) as [
      Buffer,
    ];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 [\s\S]*QUOTA_EXCEEDED/);
  });

  test('a repeated upload that took the last room is answered again', async () => {
    await leaveRoom(5);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await upload(world, ada, '12345', { headers });
    const again = await upload(world, ada, '12345', { headers });
    expect(again).toMatchObject({ status: 201, body: first.body as object });
  });
});

const INDEX = 'application/vnd.oci.image.index.v1+json';
const EMPTY_INDEX = {
  headers: { 'content-type': INDEX },
  body: JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [] }),
};

describe('images', () => {
  const denied = (status: number, json: unknown) =>
    expect({ status, json }).toEqual({
      status: 403,
      json: { errors: [{ code: 'DENIED', message: expect.stringContaining('10 GB of storage') }] },
    });

  const push = (content: Buffer, name = 'ada/full') =>
    asAda('POST', withQuery(`/v2/${name}/blobs/uploads/`, { digest: digestOf(content) }), { body: content });

  test('share the storage with files', async () => {
    await leaveRoom(1000);
    const content = randomBytes(1000);
    expect((await push(content)).status).toBe(201);
    const more = await push(randomBytes(1));
    denied(more.status, more.json());
    expect(await upload(world, ada, 'x')).toMatchObject(exceeded);
    const manifest = await asAda('PUT', '/v2/ada/full/manifests/latest', EMPTY_INDEX);
    denied(manifest.status, manifest.json());
  });

  test('in parts end where the room does, and leave nothing', async () => {
    await leaveRoom(1500);
    const begun = await asAda('POST', '/v2/ada/full/blobs/uploads/');
    const location = begun.headers.get('location') ?? '';
    const part = { body: randomBytes(1000), headers: { 'content-type': 'application/octet-stream' } };
    expect((await asAda('PATCH', location, part)).status).toBe(202);
    const refused = await asAda('PATCH', location, part);
    denied(refused.status, refused.json());
    expect((await asAda('GET', location)).status).toBe(404);
  });

  const begin = async (): Promise<string> =>
    (await asAda('POST', '/v2/ada/open/blobs/uploads/')).headers.get('location') ?? '';

  test('that are not finished count, in however many uploads, and until they are cancelled', async () => {
    await leaveRoom(2500);
    const locations = await Promise.all(Array.from({ length: 5 }, begin));
    const patch = (location: string) => asAda('PATCH', location, { body: randomBytes(1000) });
    const answers = await Promise.all(locations.map(patch));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 403, 403, 403]);
    // Those were refused as they came, perhaps before both that fit had arrived.
    const refused = await patch(await begin());
    denied(refused.status, refused.json());
    expect(refused.body.toString()).toContain('1.95 KB of unfinished image uploads');
    expect(await upload(world, ada, randomBytes(501))).toMatchObject(exceeded);
    expect(await upload(world, ada, randomBytes(500))).toMatchObject({ status: 201 });
    for (const [at, { status }] of answers.entries()) {
      const cancelled = await asAda('DELETE', locations[at] ?? '');
      expect(cancelled.status).toBe(status === 202 ? 204 : 404);
    }
    expect((await push(randomBytes(2000), 'ada/open')).status).toBe(201);
  });

  test('of a length that nobody tells count as they arrive, and no further when they are cut', async () => {
    await leaveRoom(2 * MB);
    const body = (size: number) => new Blob([randomBytes(size)]).stream();
    const location = await begin();
    expect((await asAda('PATCH', location, { body: body(MB) })).status).toBe(202);
    expect(await upload(world, ada, randomBytes(MB + 1))).toMatchObject(exceeded);
    const refused = await asAda('PATCH', location, { body: body(MB + 1) });
    denied(refused.status, refused.json());
    expect(await upload(world, ada, randomBytes(2 * MB))).toMatchObject({ status: 201 });
  });

  test('cannot be begun without end', async () => {
    const { db } = world.deps;
    const owned = { ownerId: ada.user.id, repository: 'ada/open' };
    const open = Array.from({ length: 499 }, () => ({ ...owned, id: randomUUID() }));
    await db.insertInto('containerUploads').values(open).execute();
    const last = await begin();
    const refused = await asAda('POST', '/v2/ada/open/blobs/uploads/');
    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({
      errors: [{ code: 'DENIED', message: expect.stringContaining('500 unfinished uploads') }],
    });
    expect((await asAda('DELETE', last)).status).toBe(204);
    expect((await asAda('POST', '/v2/ada/open/blobs/uploads/')).status).toBe(202);
    // By the hour, once the store has none of their bytes any more.
    await db.updateTable('containerUploads').set({ touchedAt: '2000-01-01T00:00:00Z' }).execute();
    await sweepUploads(db);
    expect(await db.selectFrom('containerUploads').selectAll().execute()).toEqual([]);
  });

  /** Tries again what waited for too long for the others, as clients do. */
  async function untilDecided<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
    const answer = await ask();
    return answer.status === 503 ? untilDecided(ask) : answer;
  }

  test('are not pushed past it at once, into whatever repositories, with files beside them', async () => {
    for (let round = 0; round < 5; round += 1) {
      await world.deps.db.deleteFrom('storedFiles').execute();
      await world.deps.db.deleteFrom('containerRepositories').execute();
      await leaveRoom(2500);
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, (_, nth) => {
          const content = randomBytes(1000);
          return untilDecided(() => push(content, `ada/at-once-${nth}`));
        }),
        ...Array.from({ length: 5 }, () => untilDecided(() => upload(world, ada, randomBytes(1000)))),
      ]);
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, 201, ...Array(8).fill(403)]);
    }
  });

  test('that are there already can be pushed again when a plan became too small', async () => {
    expect((await asAda('PUT', '/v2/ada/kept/manifests/one', EMPTY_INDEX)).status).toBe(201);
    await leaveRoom(-GB);
    expect((await asAda('PUT', '/v2/ada/kept/manifests/two', EMPTY_INDEX)).status).toBe(201);
  });
});
