import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pipSettings } from './host-network.ts';

let folder: string;

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
  const env = { PATH: process.env.PATH ?? '', PIP_FIND_LINKS: '/opt/wheels' };
  expect(await pipSettings(await python(lines), env)).toEqual({
    variables: {
      PIP_INDEX_URL: 'https://pypi.example.com/simple',
      PIP_EXTRA_INDEX_URL: 'file:///srv/pypi/simple https://b.example.com/simple',
      PIP_FIND_LINKS: '/srv/wheels',
    },
    places: ['/srv/pypi', '/opt/wheels'],
  });
});

it('does without, where pip says nothing', async () => {
  expect(await pipSettings(join(folder, 'no-such-python'), {})).toEqual({ variables: {}, places: [] });
});
