import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pushImage } from './registry-client.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

let registry: RegistryWorld;

beforeAll(async () => {
  registry = await createRegistryWorld();
  const { asAda, asBob } = registry;
  for (const name of ['ada/c', 'ada/a', 'ada/open']) await pushImage(asAda, name);
  await pushImage(asBob, 'bob/b');
  await registry.publish('ada/open', true);
});
afterAll(() => registry.close());

interface Page {
  repositories: string[];
}

describe('the catalogue', () => {
  test('has what the caller may pull, by their token or by one of the registry', async () => {
    const { asAda, asBob, asAnyone, ask, adaToken } = registry;
    const seen = async (answer: Promise<{ json(): unknown }>) => ((await answer).json() as Page).repositories;
    expect(await seen(asAda('GET', '/v2/_catalog'))).toEqual(['ada/a', 'ada/c', 'ada/open']);
    expect(await seen(asBob('GET', '/v2/_catalog'))).toEqual(['ada/open', 'bob/b']);
    expect(await seen(asAnyone('GET', '/v2/_catalog'))).toEqual(['ada/open']);
    const direct = await ask('GET', '/v2/_catalog', { authorization: `Bearer ${adaToken}` });
    expect(JSON.parse(direct.text)).toEqual({ repositories: ['ada/a', 'ada/c', 'ada/open'] });
  });

  test('asks for a token that was given for it', async () => {
    const { ask } = registry;
    const bare = await ask('GET', '/v2/_catalog');
    expect(bare.status).toBe(401);
    expect(bare.headers.get('www-authenticate')).toContain('scope="registry:catalog:*"');
    const narrow = JSON.parse((await ask('GET', '/v2/token?scope=repository:ada/open:pull')).text) as {
      token: string;
    };
    const refused = await ask('GET', '/v2/_catalog', { authorization: `Bearer ${narrow.token}` });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect((await registry.asAda('DELETE', '/v2/_catalog')).status).toBe(405);
  });

  test('comes in pages, by keys', async () => {
    const pages: string[][] = [];
    let path: string | undefined = '/v2/_catalog?n=2';
    while (path !== undefined) {
      const page = await registry.asAda('GET', path);
      pages.push((page.json() as Page).repositories);
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual([['ada/a', 'ada/c'], ['ada/open']]);
    expect((await registry.asAda('GET', '/v2/_catalog?n=0')).json()).toEqual({ repositories: [] });
    expect((await registry.asAda('GET', '/v2/_catalog?n=x')).status).toBe(400);
  });
});

test('what the client has is not sent again, a blob or a manifest, by tag or by digest', async () => {
  const { asAda } = registry;
  const { digest, layer } = await pushImage(asAda, 'ada/etags');
  for (const path of [`manifests/${digest}`, 'manifests/latest', `blobs/${layer.digest}`]) {
    const known = path.startsWith('blobs') ? layer.digest : digest;
    for (const method of ['GET', 'HEAD']) {
      const first = await asAda(method, `/v2/ada/etags/${path}`);
      expect([first.status, first.headers.get('etag')]).toEqual([200, `"${known}"`]);
      const again = (tag: string) =>
        asAda(method, `/v2/ada/etags/${path}`, { headers: { 'if-none-match': tag } });
      for (const tag of [`"${known}"`, `W/"${known}"`, `"x", "${known}"`, '*']) {
        const answer = await again(tag);
        expect([answer.status, answer.body.length, answer.headers.get('etag')]).toEqual([
          304,
          0,
          `"${known}"`,
        ]);
        expect(answer.headers.get('docker-content-digest')).toBe(known);
      }
      expect((await again('"other"')).status).toBe(200);
    }
  }
  expect((await asAda('GET', '/v2/ada/none/manifests/x', { headers: { 'if-none-match': '*' } })).status).toBe(
    404,
  );
});
