import { createHash, randomUUID } from 'node:crypto';
import { type CreatedAccessToken, contract } from '@nephos/contracts';
import { createClient } from '@nephos/contracts/client';
import type { Row } from '@nephos/contracts/kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, PASSWORD, type Person, type World } from '../world.ts';

const READS_OF_SECRETS = Object.entries(contract).flatMap(([domain, table]) =>
  Object.entries<Row>(table)
    .filter(([, row]) => row.secret && row.kind !== 'mutation')
    .map(([name, row]) => [`${domain}.${name}`, row] as const),
);

let world: World;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  world = await createWorld({ overrides: { engine: new ScriptedEngine() } });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
afterAll(() => world.close());

async function make(person: Person, input: object = {}): Promise<CreatedAccessToken> {
  const body = { name: 'CI', scope: 'write', ...input };
  const answer = await person.rest('POST /api/auth/tokens', { body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as CreatedAccessToken;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const call = (token: string, route: string, body?: unknown, headers: Record<string, string> = {}) =>
  world.anyone.rest(route, {
    headers: { ...bearer(token), ...headers },
    ...(body !== undefined && { body }),
  });
const rpcOf = (token: string) => createClient({ url: world.url, headers: () => bearer(token) });

describe('making a token', () => {
  test('shows it once and keeps only its hash', async () => {
    const answer = await ada.rest('POST /api/auth/tokens', { body: { name: ' CI ', scope: 'read' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'CI',
      scope: 'read',
      workspaceId: ada.user.id,
      resource: null,
      token: expect.stringMatching(/^nph_[A-Za-z0-9_-]{43}$/),
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
    });
    const { token, ...shown } = answer.body as CreatedAccessToken;
    expect(await ada.rpc.auth.tokens.query()).toEqual([shown]);
    const row = await world.deps.db
      .selectFrom('accessTokens')
      .selectAll()
      .where('id', '=', shown.id)
      .executeTakeFirstOrThrow();
    expect(row.hash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(token);
    await ada.rpc.auth.revokeToken.mutate({ id: shown.id });
  });

  test('twice with one key gives the same token, which lies nowhere in the clear', async () => {
    const options = { body: { name: 'Once', scope: 'read' }, headers: { 'idempotency-key': randomUUID() } };
    const first = await ada.rest('POST /api/auth/tokens', options);
    const second = await ada.rest('POST /api/auth/tokens', options);
    expect(second.body).toEqual(first.body);
    const { rows } = await sql<{ answer: unknown }>`
      select answer from idempotency_keys where key = ${options.headers['idempotency-key']}`.execute(
      world.deps.db,
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain((first.body as CreatedAccessToken).token);
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ scope: 'admin' }, 'scope'],
    [{ scope: undefined }, 'scope'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 5 }, 'expiresAt'],
  ])('refuses %j by naming the field, at both doors', async (input, path) => {
    const body = { name: 'CI', scope: 'read', ...input };
    const fields = [expect.objectContaining({ path })];
    const rest = await ada.rest('POST /api/auth/tokens', { body });
    expect(rest).toMatchObject({ status: 400, body: { code: 'VALIDATION', fields } });
    const rpc = await ada.rest('POST /trpc/auth.createToken', { body });
    expect(rpc).toMatchObject({ status: 400, body: { error: { data: { reason: 'VALIDATION', fields } } } });
  });

  test('beyond a hundred is 409 until one is revoked', async () => {
    const eve = await world.as('Eve');
    const { id } = await make(eve);
    await sql`
      insert into access_tokens (user_id, name, scope, hash)
      select ${eve.user.id}, 'x', 'read', 'hash-' || n from generate_series(1, 99) n`.execute(world.deps.db);
    const refused = await eve.rest('POST /api/auth/tokens', { body: { name: 'x', scope: 'read' } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'LIMIT' } });
    await eve.rpc.auth.revokeToken.mutate({ id });
    await make(eve);
  });
});

describe('a token', () => {
  test('is its maker at both doors, without a session', async () => {
    const { token } = await make(ada);
    expect((await call(token, 'GET /api/auth/user')).body).toMatchObject(ada.user);
    const created = await call(token, 'POST /api/projects', { name: 'By token' });
    expect(created.status).toBe(201);
    expect(await rpcOf(token).projects.list.query()).toEqual([created.body]);
    expect(await bob.rpc.projects.list.query()).toEqual([]);
  });

  test('notes its use, but not more than once a minute', async () => {
    const { token, id } = await make(ada);
    const lastUse = async () => (await ada.rpc.auth.tokens.query()).find((one) => one.id === id)?.lastUsedAt;
    const use = () => call(token, 'GET /api/auth/user');
    await use();
    const first = await lastUse();
    expect(Date.parse(first ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await use();
    expect(await lastUse()).toBe(first);
    await sql`update access_tokens set last_used_at = now() - interval '61 seconds' where id = ${id}`.execute(
      world.deps.db,
    );
    await use();
    expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  });

  const onlyReads = "This access token is read-only and can't see secrets. Use one with write access.";

  test('for reading writes nothing, at both doors', async () => {
    const { token } = await make(ada, { scope: 'read' });
    expect((await call(token, 'GET /api/projects')).status).toBe(200);
    const refusal = { code: 'FORBIDDEN', message: onlyReads };
    const refused = await call(token, 'POST /api/projects', { name: 'x' });
    expect(refused).toMatchObject({ status: 403, body: refusal });
    await expect(rpcOf(token).projects.create.mutate({ name: 'x' })).rejects.toMatchObject({
      message: refusal.message,
      data: { httpStatus: 403, reason: 'FORBIDDEN' },
    });
  });

  test.each(READS_OF_SECRETS)(
    'for reading does not get the secret of %s, at both doors',
    async (path, row) => {
      const { token: reader } = await make(ada, { scope: 'read' });
      const { token: writer } = await make(ada, { scope: 'write' });
      const input: Record<string, string> = { id: randomUUID(), schema: 'public', table: 'people' };
      const rest = (row.route ?? '').replace(/\{(\w+)\}/g, (_, name) => input[name] ?? '');
      const rpc = `GET /trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`;
      expect(await call(reader, rest)).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN', message: onlyReads },
      });
      expect(await call(reader, rpc)).toMatchObject({ status: 403, body: { error: { message: onlyReads } } });
      for (const route of [rest, rpc]) expect((await call(writer, route)).status).toBe(404);
    },
  );

  test.each([
    ['GET /api/auth/tokens', undefined],
    ['POST /api/auth/tokens', { name: 'x', scope: 'write' }],
    [`DELETE /api/auth/tokens/${randomUUID()}`, undefined],
    ['POST /api/auth/password', { currentPassword: PASSWORD, newPassword: 'another password' }],
    ['GET /api/auth/sessions', undefined],
    [`DELETE /api/auth/sessions/${randomUUID()}`, undefined],
  ])('cannot call %s', async (route, body) => {
    const { token } = await make(ada);
    expect(await call(token, route, body)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  test.each([
    ['unknown', `nph_${'A'.repeat(43)}`],
    ['malformed', 'nph_short'],
    ['foreign', 'ghp_something'],
  ])('that is %s is nobody, whatever cookie is beside it', async (_case, token) => {
    const answer = await call(token, 'GET /api/auth/user', undefined, { cookie: ada.cookie });
    expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthorized', code: 'UNAUTHORIZED' } });
  });

  test('takes precedence over a cookie', async () => {
    const { token } = await make(bob, { scope: 'read' });
    const answer = await call(token, 'GET /api/auth/user', undefined, { cookie: ada.cookie });
    expect(answer.body).toMatchObject({ id: bob.user.id });
  });

  test('does not lift the check of where a browser comes from', async () => {
    const { token } = await make(ada);
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await call(token, 'POST /api/projects', { name: 'x' }, headers);
    expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF' } });
  });
});

describe('a token ends', () => {
  test('when it is revoked, and only by its maker', async () => {
    const { token, id } = await make(ada);
    expect((await bob.rest(`DELETE /api/auth/tokens/${id}`)).status).toBe(404);
    expect((await call(token, 'GET /api/auth/user')).status).toBe(200);
    expect((await ada.rest(`DELETE /api/auth/tokens/${id}`)).body).toEqual({ success: true });
    expect((await call(token, 'GET /api/auth/user')).status).toBe(401);
    expect((await ada.rest(`DELETE /api/auth/tokens/${id}`)).status).toBe(404);
    expect((await ada.rest('DELETE /api/auth/tokens/nonsense')).status).toBe(404);
  });

  test('at its expiry, by the clock of the database', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { token, id, ...made } = await make(ada, { expiresAt });
    expect(made.expiresAt).toBe(expiresAt);
    expect((await call(token, 'GET /api/auth/user')).status).toBe(200);
    await sql`update access_tokens set expires_at = now() where id = ${id}`.execute(world.deps.db);
    expect((await call(token, 'GET /api/auth/user')).status).toBe(401);
    expect((await ada.rpc.auth.tokens.query()).map((one) => one.id)).toContain(id);
  });

  test('with a change of the password', async () => {
    const carl = await world.as('Carl');
    const { token } = await make(carl);
    await carl.rpc.auth.changePassword.mutate({ currentPassword: PASSWORD, newPassword: 'another password' });
    expect((await call(token, 'GET /api/auth/user')).status).toBe(401);
    expect(await carl.rpc.auth.tokens.query()).toEqual([]);
  });
});

test('someone signed out makes none', async () => {
  const answer = await world.anyone.rest('POST /api/auth/tokens', { body: { name: 'x', scope: 'read' } });
  expect(answer.status).toBe(401);
  await expect(world.anyone.rpc.auth.tokens.query()).rejects.toMatchObject({ data: { httpStatus: 401 } });
});
