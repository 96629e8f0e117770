import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../world.ts';
import { makeToken, pushImage, withQuery } from './registry-client.ts';
import { basic, createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

/** Asks the token service and reads what it grants. */
async function grantsOf(scope: string, authorization?: string): Promise<unknown> {
  const answer = await registry.ask(
    'GET',
    withQuery('/v2/token', { scope }),
    authorization ? { authorization } : {},
  );
  expect(answer.status).toBe(200);
  const { token } = JSON.parse(answer.text) as { token: string };
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { access: unknown })
    .access;
}

describe('the token service', () => {
  test('challenges with its address, service and scope', async () => {
    const { origin, host } = registry.world.deps.settings.publicUrl;
    const base = `Bearer realm="${origin}/v2/token",service="${host}"`;
    const ping = await registry.ask('GET', '/v2/');
    expect([ping.status, ping.headers.get('www-authenticate')]).toEqual([401, base]);
    expect(ping.headers.get('docker-distribution-api-version')).toBe('registry/2.0');
    expect(JSON.parse(ping.text)).toMatchObject({ errors: [{ code: 'UNAUTHORIZED' }] });
    const pull = await registry.ask('GET', '/v2/ada/app/manifests/latest');
    expect(pull.headers.get('www-authenticate')).toBe(`${base},scope="repository:ada/app:pull"`);
    const push = await registry.ask('POST', '/v2/ada/app/blobs/uploads/');
    expect(push.headers.get('www-authenticate')).toBe(`${base},scope="repository:ada/app:pull,push"`);
  });

  test('grants what is asked for and allowed, and no more', async () => {
    await pushImage(registry.asAda, 'ada/granted');
    const all = 'repository:ada/granted:pull,push,delete repository:bob/x:pull,push registry:catalog:*';
    const own = { type: 'repository', name: 'ada/granted' };
    const catalogue = { type: 'registry', name: 'catalog', actions: ['*'] };
    expect(await grantsOf(all, basic(registry.ada.user.email, registry.adaToken))).toEqual([
      { ...own, actions: ['pull', 'push', 'delete'] },
      catalogue,
    ]);
    expect(await grantsOf('repository:ada/granted:*', basic('ada', registry.adaToken))).toEqual([
      { ...own, actions: ['pull', 'push', 'delete'] },
    ]);
    const { token: reader } = await makeToken(registry.ada, 'read');
    expect(await grantsOf(all, basic(registry.ada.user.email, reader))).toEqual([
      { ...own, actions: ['pull'] },
      catalogue,
    ]);
    expect(await grantsOf(all, basic(registry.bob.user.email, registry.bobToken))).toEqual([
      { type: 'repository', name: 'bob/x', actions: ['pull', 'push'] },
      catalogue,
    ]);
    expect(await grantsOf(all)).toEqual([catalogue]);
    await registry.publish('ada/granted', true);
    expect(await grantsOf(all)).toEqual([{ ...own, actions: ['pull'] }, catalogue]);
  });

  test('takes the form of OAuth 2 too', async () => {
    const form = new URLSearchParams({
      grant_type: 'password',
      username: registry.ada.user.email,
      password: registry.adaToken,
      service: registry.world.deps.settings.publicUrl.host,
      scope: 'repository:ada/x:pull',
      client_id: 'test',
    });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await registry.ask('POST', '/v2/token', type, String(form));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ expires_in: 300, access_token: expect.any(String) });
    form.set('password', 'wrong');
    expect((await registry.ask('POST', '/v2/token', type, String(form))).status).toBe(401);
    form.set('grant_type', 'refresh_token');
    expect((await registry.ask('POST', '/v2/token', type, String(form))).status).toBe(400);
  });

  test.each([
    ['the password of the account', () => basic(registry.ada.user.email, PASSWORD), /Create an access token/],
    ["somebody else's name", () => basic(registry.bob.user.email, registry.adaToken), /^Wrong email/],
    ['an unknown token', () => basic(registry.ada.user.email, `nph_${'A'.repeat(43)}`), /^Wrong email/],
    ['another way to log in', () => `Bearer ${registry.adaToken}`, /access token/],
  ])('refuses %s', async (_case, authorization, message) => {
    const answer = await registry.ask('GET', '/v2/token', { authorization: authorization() });
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toEqual({
      errors: [{ code: 'UNAUTHORIZED', message: expect.stringMatching(message) }],
    });
  });

  test('gives no tokens for another service', async () => {
    expect((await registry.ask('GET', '/v2/token?service=other.example.com')).status).toBe(400);
  });
});
