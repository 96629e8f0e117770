import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { networkVariables, pipSettings } from './host-network.ts';

let folder: string;
const env = { PATH: process.env.PATH ?? '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-pip-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A python whose pip says this of its settings. */
async function python(lines: string): Promise<string> {
  const file = join(folder, 'python3');
  await writeFile(file, `#!/bin/sh\ncat <<'END'\n${lines}\nEND\n`, { mode: 0o755 });
  return file;
}

it("gives builds the host's index of Python packages without its password, and nothing else", async () => {
  const lines = [
    "global.index-url='https://ada:secret@pypi.example.com/simple'",
    "install.extra-index-url='file:///srv/pypi/simple\\nhttps://b.example.com/simple'",
    "global.find-links='/srv/wheels'",
    "global.proxy='http://ada:secret@proxy.example.com'",
    ":env:.cert='/etc/ssl/pip.pem'",
  ].join('\n');
  const host = { HTTPS_PROXY: 'http://proxy', PIP_FIND_LINKS: '/opt/wheels' };
  expect(await pipSettings(await python(lines), env, { host, kept: [folder] })).toEqual({
    variables: {
      PIP_INDEX_URL: 'https://pypi.example.com/simple',
      PIP_EXTRA_INDEX_URL: 'file:///srv/pypi/simple https://b.example.com/simple',
      PIP_FIND_LINKS: '/opt/wheels',
    },
    places: ['/srv/pypi', '/opt/wheels'],
  });
});

it.each([
  ['https://a/simple  https://ada:secret@b/simple', 'https://a/simple https://b/simple'],
  ['https://ada:secret@a/x https://ada:secret@b/x', 'https://a/x https://b/x'],
  ['https://ada:se#cret@a/x', 'https://a/x'],
])('gives builds a list of indexes without passwords: %s', async (PIP_EXTRA_INDEX_URL, cleaned) => {
  const { variables } = await pipSettings(undefined, env, { host: { PIP_EXTRA_INDEX_URL }, kept: [] });
  expect(variables).toEqual({ PIP_EXTRA_INDEX_URL: cleaned });
});

it('gives apps neither passwords nor settings of pip', () => {
  const host = {
    PATH: '/bin',
    HTTP_PROXY: 'ada:secret@proxy:3128',
    PIP_INDEX_URL: 'https://a',
    NO_PROXY: 'a,b',
  };
  expect(networkVariables(host)).toEqual({ HTTP_PROXY: 'proxy:3128', NO_PROXY: 'a,b' });
});

it('shows builds the folders that pip is sent to, and none around the data folder or in it', async () => {
  const data = join(folder, 'above/data');
  await mkdir(data, { recursive: true });
  await symlink(data, join(folder, 'link'));
  const kept = [data];
  const placesOf = async (host: Record<string, string>) =>
    (await pipSettings(undefined, env, { host, kept })).places;
  expect(await placesOf({ PIP_FIND_LINKS: 'file:///srv/wheels/ /srv/pages/links.html' })).toEqual([
    '/srv/wheels',
    '/srv/pages',
  ]);
  expect(await placesOf({ PIP_INDEX_URL: 'file:///srv/simple' })).toEqual(['/srv/simple']);
  const refused = ['/', folder, join(folder, 'above'), data, `${data}/wheels`, join(folder, 'link')];
  expect(await placesOf({ PIP_FIND_LINKS: refused.join(' ') })).toEqual([]);
  expect(await placesOf({ PIP_INDEX_URL: `file://${folder}/above/simple file://elsewhere/srv` })).toEqual([]);
  expect(await placesOf({ PIP_FIND_LINKS: `${data}-wheels` })).toEqual([`${data}-wheels`]);
});

it('does without, where pip says nothing', async () => {
  const settings = pipSettings(join(folder, 'no-such-python'), {}, { host: {}, kept: [] });
  expect(await settings).toEqual({ variables: {}, places: [] });
});
