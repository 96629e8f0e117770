import { expect, it } from 'vitest';
import { checkRepository, faultOfAddress } from './repository-address.ts';

const PUBLIC = '93.184.215.14';
const publicly = { allowPrivate: false, resolve: async () => [PUBLIC] };
const unresolved = { allowPrivate: false, resolve: () => Promise.reject(new Error('asked the resolver')) };

it('pins a public host to its addresses', async () => {
  const address = await checkRepository('https://GitHub.com./you/app.git', publicly);
  expect(address).toEqual({ url: 'https://github.com/you/app.git', pin: `github.com:443:${PUBLIC}` });
  const both = { allowPrivate: false, resolve: async () => [PUBLIC, '2606:2800:21f:cb07::1'] };
  expect((await checkRepository('https://a.example/x', both)).pin).toBe(
    `a.example:443:${PUBLIC},[2606:2800:21f:cb07::1]`,
  );
});

const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.64.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'git.localhost',
];

it.each(SPELLINGS)('refuses %s, also before anything is looked up', async (host) => {
  expect(faultOfAddress(`https://${host}/a.git`, false)).toMatch(/is not a public address|is not a URL$/);
  await expect(checkRepository(`https://${host}/a.git`, unresolved)).rejects.toThrow(
    /is not a public address|is not a URL\./,
  );
});

it.each(['127.0.0.1', '::1', '::ffff:10.0.0.1', '169.254.169.254', '64:ff9b::a00:1', 'fd00::1'])(
  'refuses a name that resolves to %s, even beside a public address',
  async (address) => {
    const options = { allowPrivate: false, resolve: async () => [PUBLIC, address] };
    await expect(checkRepository('https://rebind.example/a', options)).rejects.toThrow(
      /not a public address/,
    );
  },
);

it.each([
  ['', /no repository/],
  ['nonsense', /is not a URL/],
  ['http://a.example/x', /must begin with https/],
  ['file:///etc', /must begin with https/],
  ['ssh://git:secret@a.example/x', /must begin with https/],
  ['git://localhost:1234/x@a.example', /must begin with https/],
  ['ext::sh -c id', /must begin with https/],
  ['https://me:secret@a.example/x', /user name or password/],
  ['https://a.example@b.example/x', /user name or password/],
  ['https://a.example/x?y', /query, fragment/],
  ['https://a.example/x#y', /query, fragment/],
  ['https://a.example\\@b.example/x', /query, fragment|characters/],
  ['https://a.example/x%00y', /characters that are not allowed/],
  ['https://a.example/$(id)', /characters that are not allowed/],
  ['https://a.example:8443/x', /port must be 443/],
])('refuses %s', async (text, reason) => {
  await expect(checkRepository(text, publicly)).rejects.toThrow(reason);
});

it('leaves to the look-up what only that can tell', () => {
  for (const host of [
    'github.com',
    '93.184.215.14',
    '[2606:2800:21f:cb07::1]',
    'localhost.example',
    '127.0.0.1.nip.io',
  ])
    expect(faultOfAddress(`https://${host}/a.git`, false)).toBeUndefined();
});

it('admits private addresses where they are allowed', async () => {
  const options = { allowPrivate: true, resolve: async () => ['127.0.0.1'] };
  expect(await checkRepository('http://localhost:8080/a.git', options)).toEqual({
    url: 'http://localhost:8080/a.git',
    pin: 'localhost:8080:127.0.0.1',
  });
  expect(await checkRepository('file:///srv/a.git', options)).toEqual({
    url: 'file:///srv/a.git',
    pin: undefined,
  });
  await expect(checkRepository('file://host/srv/a.git', options)).rejects.toThrow(/must not name a host/);
  await expect(checkRepository('git://a.example/x', options)).rejects.toThrow(/must begin with https/);
});

it('checks a host of SSH like any other, and gives ssh the address that it found', async () => {
  const url = 'git@GitHub.com:you/app.git';
  expect(await checkRepository(url, publicly)).toEqual({ url, pin: undefined, ssh: PUBLIC });
  expect(faultOfAddress('ssh://git@github.com/you/app.git', false)).toBeUndefined();
  expect(faultOfAddress('ssh://git@github.com:2222/you/app.git', false)).toBe('the port must be 22');
  expect(faultOfAddress('ssh://git@github.com:2222/you/app.git', true)).toBeUndefined();
  for (const host of ['127.0.0.1', '10.0.0.1', 'localhost', 'git.localhost']) {
    expect(faultOfAddress(`git@${host}:app.git`, false)).toBe(`${host} is not a public address`);
  }
  // Other spellings are for the resolver to read.
  const inside = { allowPrivate: false, resolve: async () => [PUBLIC, '127.0.0.1'] };
  for (const host of ['git.example.com', '127.1', '2130706433']) {
    await expect(checkRepository(`git@${host}:app.git`, inside)).rejects.toThrow('not a public address');
  }
});
