import { createHmac, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeToken, pushImage } from './registry-client.ts';
import { basic, createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
});
afterAll(() => registry.close());

describe('a token of the registry', () => {
  const key = () => registry.world.deps.secrets.deriveKey('registry tokens');
  const valid = () => ({
    token: null as string | null,
    access: [{ type: 'repository', name: 'ada/secret', actions: ['pull', 'push', 'delete'] }],
    iss: registry.world.deps.settings.publicUrl.origin,
    aud: registry.world.deps.settings.publicUrl.host,
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 60,
  });
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sign = (header: object, claims: object, secret: Uint8Array = key()) => {
    const signed = `${encode(header)}.${encode(claims)}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };
  const ping = (token: string) => registry.ask('GET', '/v2/', { authorization: `Bearer ${token}` });
  const header = { alg: 'HS256', typ: 'JWT' };

  test('of our own making is taken', async () => {
    expect((await ping(sign(header, valid()))).status).toBe(200);
  });

  const other = randomBytes(32);
  const jwk = { kty: 'oct', k: other.toString('base64url') };
  test.each<[string, () => string | Promise<string>]>([
    ['alg none', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(valid())}.`],
    ['no signature', () => `${encode(header)}.${encode(valid())}.`],
    ['another key', () => sign(header, valid(), other)],
    ['an empty key', () => sign(header, valid(), new Uint8Array())],
    ['its key in jwk', () => sign({ ...header, jwk }, valid(), other)],
    ['jwk beside our key', () => sign({ ...header, jwk }, valid())],
    ['jku', () => sign({ ...header, jku: 'http://127.0.0.1:1/keys' }, valid())],
    ['x5c', () => sign({ ...header, x5c: ['AAAA'] }, valid())],
    ['kid', () => sign({ ...header, kid: '../../dev/null' }, valid())],
    ['crit', () => sign({ ...header, crit: ['exp'] }, valid())],
    ['RS256 in name', () => sign({ ...header, alg: 'RS256' }, valid())],
    [
      'HS512',
      () => new SignJWT(valid()).setProtectedHeader({ alg: 'HS512', typ: 'JWT' }).sign(new Uint8Array(64)),
    ],
    ['no type', () => sign({ alg: 'HS256' }, valid())],
    ['another service', () => sign(header, { ...valid(), aud: 'other.example.com' })],
    ['another issuer', () => sign(header, { ...valid(), iss: 'https://other.example.com' })],
    ['an end that has passed', () => sign(header, { ...valid(), exp: valid().iat - 1 })],
    ['no end', () => sign(header, { ...valid(), exp: undefined })],
    [
      'an unknown access token',
      () => sign(header, { ...valid(), token: '01890000-0000-7000-8000-000000000000' }),
    ],
    ['other claims', () => sign(header, { ...valid(), access: 'all' })],
    ['no shape at all', () => 'x.y.z'],
  ])('with %s is refused', async (_case, forge) => {
    const answer = await ping(await forge());
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('whose scope was widened is refused, and one narrower than the account stays so', async () => {
    await pushImage(registry.asAda, 'ada/secret');
    const answer = await registry.ask('GET', '/v2/token?scope=repository:ada/other:pull', {
      authorization: basic('ada', registry.adaToken),
    });
    const { token } = JSON.parse(answer.text) as { token: string };
    const [head, body = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    const wide = `${head}.${encode({ ...claims, access: valid().access })}.${signature}`;
    const path = '/v2/ada/secret/manifests/latest';
    expect((await registry.ask('GET', path, { authorization: `Bearer ${wide}` })).status).toBe(401);
    const narrow = await registry.ask('GET', path, { authorization: `Bearer ${token}` });
    expect(narrow.status).toBe(401);
    expect(narrow.headers.get('www-authenticate')).toMatch(
      /scope="repository:ada\/secret:pull",error="insufficient_scope"/,
    );
  });

  test('that grants what its bearer may not do, grants nothing', async () => {
    const { id } = await makeToken(registry.bob);
    const token = sign(header, { ...valid(), token: id });
    for (const [method, path] of [
      ['GET', '/v2/ada/secret/manifests/latest'],
      ['DELETE', '/v2/ada/secret/manifests/latest'],
      ['POST', '/v2/ada/secret/blobs/uploads/'],
    ] as const) {
      expect([403, 404]).toContain(
        (await registry.ask(method, path, { authorization: `Bearer ${token}` })).status,
      );
    }
  });

  test('ends with the access token in whose name it was given', async () => {
    const { id, token: secret } = await makeToken(registry.ada);
    const answer = await registry.ask('GET', '/v2/token', { authorization: basic('ada', secret) });
    const { token } = JSON.parse(answer.text) as { token: string };
    expect((await ping(token)).status).toBe(200);
    await registry.ada.rpc.auth.revokeToken.mutate({ id });
    expect((await ping(token)).status).toBe(401);
  });
});
