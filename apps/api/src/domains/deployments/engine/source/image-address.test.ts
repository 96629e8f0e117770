import { expect, test } from 'vitest';
import { checkRegistry, faultOfRegistry } from './image-address.ts';

const at = (host: string) => ({ host, path: 'ada/shop' });
const resolve = async (host: string) => {
  if (host === 'absent.example.com') throw new Error('ENOTFOUND');
  return host === 'inside.example.com' ? ['1.1.1.1', '10.0.0.5'] : ['1.1.1.1'];
};

test.each([
  ['docker.io', undefined],
  ['registry.example.com:443', undefined],
  ['registry.example.com:5000', 'the port must be 443'],
  ['localhost', 'localhost is not a public address'],
  ['127.0.0.1', '127.0.0.1 is not a public address'],
  ['[::1]', '::1 is not a public address'],
  ['169.254.169.254', '169.254.169.254 is not a public address'],
  ['1.1.1.1', undefined],
  ['registry.example.com:99999', '"https://registry.example.com:99999/ada/shop" is not a URL'],
])('%s without the setting that admits all: %s', (host, fault) => {
  expect(faultOfRegistry(at(host), false)).toBe(fault);
  if (!host.endsWith('99999')) expect(faultOfRegistry(at(host), true)).toBeUndefined();
});

test('where a name leads is looked up, unless all is admitted', async () => {
  const refusal = 'Failed to pull the image: inside.example.com is not a public address.';
  const inside = at('inside.example.com');
  await expect(checkRegistry(inside, { allowPrivate: false, resolve })).rejects.toMatchObject({
    ...{ step: 'pull', message: refusal },
  });
  await checkRegistry(inside, { allowPrivate: true, resolve });
  for (const host of ['outside.example.com', 'absent.example.com', '1.1.1.1']) {
    await checkRegistry(at(host), { allowPrivate: false, resolve });
  }
});
