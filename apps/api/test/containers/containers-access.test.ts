import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { imageOf, register } from './container-images.ts';
import { type Call, makeToken, pushImage, registryClient } from './registry-client.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';

let world: World;
let ada: Person;
let bob: Person;
let call: Call;
let adaToken: { username: string; password: string };

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  adaToken = { username: ada.user.email, password: (await makeToken(ada)).token };
  call = registryClient({ url: world.url, ...adaToken });
});
afterEach(() => world.deps.db.deleteFrom('containerRepositories').execute());
afterAll(() => world.close());

describe('what is public', () => {
  test('is so with all tags of the repository, at both doors', async () => {
    await pushImage(call, 'ada/app', { tag: 'v1' });
    await pushImage(call, 'ada/app', { tag: 'v2' });
    const { id } = await imageOf(ada, 'ada/app', 'v1');
    const answer = await ada.rest(`PATCH /api/containers/${id}`, { body: { isPublic: true } });
    expect(answer).toMatchObject({ status: 200, body: { id, isPublic: true } });
    expect(await imageOf(ada, 'ada/app', 'v2')).toMatchObject({ isPublic: true });
    await ada.rpc.containers.update.mutate({ id, isPublic: false });
    expect(await imageOf(ada, 'ada/app', 'v2')).toMatchObject({ isPublic: false });
  });

  test('ends with the last tag', async () => {
    await pushImage(call, 'ada/app', { tag: 'v1' });
    await pushImage(call, 'ada/app', { tag: 'v2' });
    const first = await imageOf(ada, 'ada/app', 'v1');
    const second = await imageOf(ada, 'ada/app', 'v2');
    await ada.rpc.containers.update.mutate({ id: first.id, isPublic: true });
    expect((await ada.rest(`DELETE /api/containers/${first.id}`)).body).toEqual({ success: true });
    expect(await imageOf(ada, 'ada/app', 'v2')).toMatchObject({ isPublic: true });
    await ada.rpc.containers.remove.mutate({ id: second.id });
    expect(await ada.rpc.containers.list.query()).toEqual([]);
    expect((await call('GET', '/v2/ada/app/tags/list')).json()).toMatchObject({ tags: [] });
    await pushImage(call, 'ada/app', { tag: 'v3' });
    expect(await imageOf(ada, 'ada/app', 'v3')).toMatchObject({ isPublic: false });
  });
});

describe("somebody else's image", () => {
  test.each(['GET', 'PATCH', 'DELETE'])('is not there for %s', async (method) => {
    const { id } = await register(ada);
    const options = method === 'PATCH' ? { body: { isPublic: true } } : {};
    const foreign = await bob.rest(`${method} /api/containers/${id}`, options);
    const absent = await bob.rest(`${method} /api/containers/${ABSENT}`, options);
    expect([foreign.status, absent.status]).toEqual([404, 404]);
    expect({ ...(foreign.body as object), requestId: '' }).toEqual({
      ...(absent.body as object),
      requestId: '',
    });
    expect((await bob.rest(`${method} /api/containers/nonsense`, options)).status).toBe(404);
    expect(await imageOf(ada, 'ada/app')).toMatchObject({ isPublic: false });
  });
});

test('an access token does it all within its scope', async () => {
  const headers = { authorization: `Bearer ${adaToken.password}` };
  const created = await world.anyone.rest('POST /api/containers', { headers, body: { name: 'by-token' } });
  expect(created.status).toBe(201);
  const { token } = await makeToken(ada, 'read');
  const reader = { authorization: `Bearer ${token}` };
  expect((await world.anyone.rest('GET /api/containers', { headers: reader })).status).toBe(200);
  const refused = await world.anyone.rest('POST /api/containers', { headers: reader, body: { name: 'no' } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

test('someone signed out sees nothing', async () => {
  for (const route of ['GET /api/containers', `GET /api/containers/${ABSENT}`, 'GET /api/registry']) {
    expect((await world.anyone.rest(route)).status).toBe(401);
  }
  await expect(world.anyone.rpc.containers.list.query()).rejects.toMatchObject({ data: { httpStatus: 401 } });
});
