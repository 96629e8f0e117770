import type { Bucket, CreatedStorageKey } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uploaded } from '../storage/storage-world.ts';
import { createWorld, type Person, type World } from '../world.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(() => world.close());

async function made(person: Person, name: string, change: object = {}): Promise<Bucket> {
  const answer = await person.rest('POST /api/buckets', { body: { name, ...change } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Bucket;
}

async function keyOf(person: Person, input: object = {}): Promise<CreatedStorageKey> {
  const answer = await person.rest('POST /api/storage-keys', {
    body: { name: 'backups', access: 'write', ...input },
  });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as CreatedStorageKey;
}

describe('a bucket', () => {
  test('is there for the console’s files before anybody makes one, and cannot be made public or deleted', async () => {
    const [uploads, ...others] = (await ada.rest('GET /api/buckets')).body as Bucket[];
    expect(others).toEqual([]);
    expect(uploads).toMatchObject({ name: 'uploads', isPublic: false, versioning: 'off' });
    const id = uploads?.id ?? '';
    await uploaded(world, ada, 'four');
    expect(await ada.rpc.buckets.get.query({ id })).toMatchObject({
      ...{ files: 1, size: 4, publicUrl: null },
      ...{ endpoint: world.deps.settings.publicUrl.origin, region: 'us-east-1' },
    });
    const open = await ada.rest(`PATCH /api/buckets/${id}`, { body: { isPublic: true } });
    expect(open).toMatchObject({ status: 409, body: { code: 'UPLOADS_PRIVATE' } });
    const gone = await ada.rest(`DELETE /api/buckets/${id}`);
    expect(gone).toMatchObject({ status: 409, body: { code: 'UPLOADS_STAYS' } });
    // Bob has one of that name, too.
    expect(await bob.rpc.buckets.list.query()).toMatchObject([{ name: 'uploads' }]);
  });

  test('is made, changed, listed by name, and deleted', async () => {
    const zoo = await made(ada, 'zoo.example');
    expect(zoo).toMatchObject({ name: 'zoo.example', isPublic: false, versioning: 'off' });
    const art = await ada.rpc.buckets.create.mutate({ name: 'art', isPublic: true, versioning: true });
    expect(art).toMatchObject({ isPublic: true, versioning: 'enabled' });
    expect((await ada.rpc.buckets.list.query()).map(({ name }) => name)).toEqual([
      'art',
      'uploads',
      'zoo.example',
    ]);
    expect(await ada.rpc.buckets.get.query({ id: art.id })).toMatchObject({
      publicUrl: `http://s3.${world.deps.settings.publicUrl.host}/art/`,
    });
    const changed = await ada.rest(`PATCH /api/buckets/${art.id}`, {
      body: { isPublic: false, versioning: false },
    });
    expect(changed).toMatchObject({ status: 200, body: { isPublic: false, versioning: 'suspended' } });
    const untouched = await ada.rpc.buckets.update.mutate({ id: zoo.id, versioning: false });
    expect(untouched.versioning).toBe('off');
    for (const { id } of [art, zoo]) {
      expect(await ada.rpc.buckets.remove.mutate({ id })).toEqual({ success: true });
      expect(await ada.rest(`DELETE /api/buckets/${id}`)).toMatchObject({ status: 404 });
    }
  });

  test('stays while there is a file in it', async () => {
    const { id } = await made(ada, 'kept');
    const file = await uploaded(world, ada, 'kept');
    await world.deps.db.updateTable('storedFiles').set({ bucketId: id }).where('id', '=', file.id).execute();
    expect(await ada.rest(`DELETE /api/buckets/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'BUCKET_NOT_EMPTY' },
    });
  });

  test('has a name that nobody else’s has', async () => {
    const { id } = await made(ada, 'mine-alone');
    expect(await ada.rest('POST /api/buckets', { body: { name: 'mine-alone' } })).toMatchObject({
      status: 409,
      body: { code: 'BUCKET_EXISTS', existingId: id },
    });
    const bobs = await bob.rest('POST /api/buckets', { body: { name: 'mine-alone' } });
    expect(bobs).toMatchObject({ status: 409, body: { code: 'BUCKET_EXISTS' } });
    expect(bobs.body).not.toHaveProperty('existingId');
  });

  test.each([
    'ab',
    'a'.repeat(64),
    'Upper',
    '-a-',
    'a..b',
    'a.-b',
    '192.0.2.1',
    'xn--abc',
    'a_b',
    'x-s3alias',
  ])('is not named %s', async (name) => {
    expect(await ada.rest('POST /api/buckets', { body: { name } })).toMatchObject({ status: 400 });
  });

  test.each(['abc', 'a'.repeat(63), '1.2.3'])('is named %s', async (name) => {
    await made(ada, name);
  });

  test('is nobody else’s, and nobody’s who is signed out', async () => {
    const { id } = await made(ada, 'hidden');
    for (const [method, body] of [['GET'], ['PATCH', { isPublic: true }], ['DELETE']] as const) {
      const route = `${method} /api/buckets/${id}`;
      expect(await bob.rest(route, { body })).toMatchObject({ status: 404 });
      expect(await world.anyone.rest(route, { body })).toMatchObject({ status: 401 });
    }
  });

  test('is one of at most a hundred', async () => {
    const carol = await world.as('Carol');
    await carol.rpc.buckets.list.query();
    const names = Array.from({ length: 99 }, (_, at) => ({ ownerId: carol.user.id, name: `carol-${at}` }));
    await world.deps.db.insertInto('buckets').values(names).execute();
    expect(await carol.rest('POST /api/buckets', { body: { name: 'one-more' } })).toMatchObject({
      status: 409,
      body: { code: 'LIMIT' },
    });
  });
});

describe('a bucket’s rules', () => {
  const NO_RULES = { lifecycle: [], cors: [] };
  const OLD = {
    id: 'old logs',
    prefix: 'logs/',
    expiry: { days: 30 },
    former: { days: 7, kept: 3 },
    abortDays: 1,
  };
  const PAGES = {
    origins: ['https://*.example.test'],
    methods: ['GET'],
    headers: ['x-*'],
    exposed: ['etag'],
    maxAge: 60,
  };

  test('are set as a whole by either door, read, and taken away', async () => {
    const { id } = await made(ada, 'ruled');
    expect(await ada.rest(`GET /api/buckets/${id}/rules`)).toMatchObject({ status: 200, body: NO_RULES });
    const set = await ada.rest(`PUT /api/buckets/${id}/lifecycle`, {
      body: { rules: [OLD, { abortDays: 2 }] },
    });
    const whole = { ...OLD, isEnabled: true, tags: {} };
    const other = { id: expect.any(String), isEnabled: true, prefix: '', tags: {}, abortDays: 2 };
    expect(set).toMatchObject({ status: 200, body: { lifecycle: [whole, other], cors: [] } });
    const cors = await ada.rpc.buckets.setCors.mutate({ id, rules: [{ ...PAGES, methods: ['GET'] }] });
    expect(cors).toMatchObject({ lifecycle: [whole, other], cors: [PAGES] });
    expect(await ada.rpc.buckets.rules.query({ id })).toEqual(cors);
    await ada.rpc.buckets.setLifecycle.mutate({ id, rules: [] });
    await ada.rest(`PUT /api/buckets/${id}/cors`, { body: { rules: [] } });
    expect(await ada.rpc.buckets.rules.query({ id })).toMatchObject(NO_RULES);
    const { lifecycle } = await world.deps.db
      .selectFrom('buckets')
      .select('lifecycle')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(lifecycle).toBeNull();
  });

  test.each([
    [{ rules: [{ ...OLD, expiry: { days: 0 } }] }, 'rules.0.expiry.days'],
    [{ rules: [{ ...OLD, expiry: { days: 36_501 } }] }, 'rules.0.expiry.days'],
    [{ rules: [{ ...OLD, expiry: { days: 1.5 } }] }, 'rules.0.expiry'],
    [{ rules: [{ ...OLD, former: { days: 1, kept: 101 } }] }, 'rules.0.former.kept'],
    [{ rules: [{ ...OLD, id: 'a'.repeat(256) }] }, 'rules.0.id'],
    [{ rules: [{ expiry: { days: 1 }, tags: { 'aws:a': '' } }] }, 'rules.0.tags'],
    [{ rules: [OLD, OLD] }, 'rules.1.id'],
    [{ rules: [{ prefix: 'a/' }] }, 'rules.0'],
    [{ rules: [{ tags: { a: 'b' }, abortDays: 1 }] }, 'rules.0'],
  ])('by age are refused at their field: %j', async (body, path) => {
    const { id } = (await ada.rpc.buckets.list.query())[0] ?? {};
    expect(await ada.rest(`PUT /api/buckets/${id}/lifecycle`, { body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', fields: [{ path }] },
    });
  });

  test.each([
    [{ ...PAGES, origins: [] }, 'rules.0.origins'],
    [{ ...PAGES, origins: ['a*b*c'] }, 'rules.0.origins.0'],
    [{ ...PAGES, exposed: ['a b'] }, 'rules.0.exposed.0'],
    [{ ...PAGES, methods: ['PATCH'] }, 'rules.0.methods.0'],
    [{ ...PAGES, methods: [] }, 'rules.0.methods'],
    [{ ...PAGES, maxAge: -1 }, 'rules.0.maxAge'],
  ])('for pages of other sites are refused at their field: %j', async (rule, path) => {
    const { id } = (await ada.rpc.buckets.list.query())[0] ?? {};
    expect(await ada.rest(`PUT /api/buckets/${id}/cors`, { body: { rules: [rule] } })).toMatchObject({
      status: 400,
      body: { fields: [{ path }] },
    });
  });

  test('are not written over where somebody changed them meanwhile', async () => {
    const { id } = await made(ada, 'twice-ruled');
    const { revision } = await ada.rpc.buckets.rules.query({ id });
    const first = await ada.rpc.buckets.setLifecycle.mutate({ id, rules: [{ abortDays: 1 }], revision });
    for (const [name, rules] of [
      ['lifecycle', []],
      ['cors', []],
    ] as const) {
      const late = await ada.rest(`PUT /api/buckets/${id}/${name}`, { body: { rules, revision } });
      expect(late).toMatchObject({ status: 409, body: { code: 'CHANGED' } });
    }
    expect(await ada.rpc.buckets.rules.query({ id })).toEqual(first);
  });

  test('are its owner’s alone, and none let pages call the console’s own bucket', async () => {
    const { id } = await made(ada, 'ruled-alone');
    for (const [call, body] of [
      [`GET /api/buckets/${id}/rules`],
      [`PUT /api/buckets/${id}/lifecycle`, { rules: [OLD] }],
      [`PUT /api/buckets/${id}/cors`, { rules: [PAGES] }],
    ] as const) {
      expect(await bob.rest(call, { body }), call).toMatchObject({ status: 404 });
      expect(await world.anyone.rest(call, { body }), call).toMatchObject({ status: 401 });
    }
    const uploads = (await ada.rpc.buckets.list.query()).find(({ name }) => name === 'uploads');
    expect(
      await ada.rest(`PUT /api/buckets/${uploads?.id}/cors`, { body: { rules: [PAGES] } }),
    ).toMatchObject({
      status: 409,
      body: { code: 'UPLOADS_CORS' },
    });
    expect(
      await ada.rest(`PUT /api/buckets/${uploads?.id}/lifecycle`, { body: { rules: [{ abortDays: 1 }] } }),
    ).toMatchObject({ status: 200 });
  });
});

describe('an access key', () => {
  test('shows its secret half once, which is kept sealed', async () => {
    const { secretAccessKey, ...key } = await keyOf(ada);
    expect(secretAccessKey).toMatch(/^[A-Za-z0-9+/]{40}$/);
    expect(key).toMatchObject({
      ...{ id: expect.stringMatching(/^NPHS[A-Z2-7]{16}$/), name: 'backups', access: 'write', bucket: null },
      ...{ madeBy: { id: ada.user.id }, lastUsedAt: null },
    });
    expect(await ada.rpc.buckets.keys.query()).toEqual([key]);
    const row = await world.deps.db
      .selectFrom('storageKeys')
      .select('sealedKey')
      .where('id', '=', key.id)
      .executeTakeFirstOrThrow();
    expect(row.sealedKey.includes(secretAccessKey)).toBe(false);
    expect(world.deps.secrets.open(row.sealedKey, `storage-key:${key.id}`)).toBe(secretAccessKey);
    expect(await ada.rest(`DELETE /api/storage-keys/${key.id}`)).toMatchObject({ status: 200 });
    expect(await ada.rest(`DELETE /api/storage-keys/${key.id}`)).toMatchObject({ status: 404 });
  });

  test('opens one bucket, with which it goes', async () => {
    const { id } = await made(ada, 'with-key');
    const key = await keyOf(ada, { bucketId: id, access: 'read' });
    expect(key).toMatchObject({ access: 'read', bucket: { id, name: 'with-key' } });
    await ada.rpc.buckets.remove.mutate({ id });
    expect(await ada.rpc.buckets.keys.query()).toEqual([]);
    for (const bucketId of [id, NOWHERE]) {
      const body = { name: 'late', access: 'read', bucketId };
      expect(await ada.rest('POST /api/storage-keys', { body })).toMatchObject({
        status: 400,
        body: { fields: [{ path: 'bucketId' }] },
      });
    }
  });

  test('is nobody else’s', async () => {
    const { id } = await keyOf(ada);
    const { id: bucketId } = await made(ada, 'not-bobs');
    expect(await bob.rpc.buckets.keys.query()).toEqual([]);
    expect(await bob.rest(`DELETE /api/storage-keys/${id}`)).toMatchObject({ status: 404 });
    const body = { name: 'bob', access: 'read', bucketId };
    expect(await bob.rest('POST /api/storage-keys', { body })).toMatchObject({ status: 400 });
    expect(await world.anyone.rest('GET /api/storage-keys')).toMatchObject({ status: 401 });
  });
});
