import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../git-server.ts';
import { helloApp } from './app-fixtures.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';

let git: GitServer;
let world: EngineWorld;
let strict: EngineWorld;
let canaries: string;
let listener: Server;
let connections = 0;

beforeAll(async () => {
  canaries = await mkdtemp(join(tmpdir(), 'nephos-canary-'));
  await chmod(canaries, 0o777);
  git = await startGitServer();
  await git.createRepository('target', helloApp('x'));
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  world = await createEngineWorld();
  strict = await createEngineWorld({ env: { ALLOW_PRIVATE_REPOSITORIES: '0' } });
});

afterAll(async () => {
  await world.close();
  await strict.close();
  await git.close();
  listener.close();
  await rm(canaries, { recursive: true, force: true });
});

/** Ways to run `touch <file>`, if anything on the way were to interpret them: a shell's, Git's and SSH's, one of each kind. */
function payloads(touch: string): string[] {
  const ifs = touch.replaceAll(' ', '${' + 'IFS}');
  return [
    `main$(${ifs})`,
    `\`${touch}\``,
    `;${touch}`,
    `"; ${touch}; "`,
    `'|${touch}`,
    `main\n${touch}`,
    `--upload-pack=${touch}`,
    `-u${touch}`,
    `-c core.sshCommand=${touch}`,
    `-oProxyCommand=${touch}`,
    `../../${ifs}`,
    `main@{${touch}}`,
  ];
}

it('runs nothing that a branch says', async () => {
  await Promise.all(
    payloads(`touch ${join(canaries, 'branch')}`).map(async (branch) => {
      const { outcome } = await world.deploy(world.project(git.url('target'), { branch }));
      expect(outcome, branch).toMatchObject({ status: 'failed', step: 'clone' });
    }),
  );
  expect(await readdir(canaries)).toEqual([]);
});

it('runs nothing that an address says', async () => {
  const touch = `touch ${join(canaries, 'address')}`;
  const { port } = listener.address() as AddressInfo;
  const addresses = [
    ...payloads(touch).flatMap((payload) => [payload, `https://127.0.0.1:${port}/${payload}`]),
    ...[`ext::sh -c ${touch}`, `ext::sh -c "${touch}"% ${port}`, `ssh://-oProxyCommand=${touch}/x`, `fd::17`],
    ...[
      `git@127.0.0.1:x`,
      `git://127.0.0.1:${port}/x`,
      `http://127.0.0.1:${port}/x`,
      `file:///etc`,
      '/etc',
      '../../..',
    ],
  ];
  await Promise.all(
    addresses.map(async (repositoryUrl) => {
      const { outcome } = await strict.deploy(strict.project(repositoryUrl));
      expect(outcome, repositoryUrl).toMatchObject({ status: 'failed', step: 'clone' });
    }),
  );
  expect(await readdir(canaries)).toEqual([]);
  expect(connections).toBe(0);
});

it('runs no hook, filter or configuration of a repository, and clones no odd submodule', async () => {
  const touch = `touch ${join(canaries, 'repository')}`;
  const submodule = `[submodule "a"]\n\tpath = a\n\turl = ext::sh -c ${touch}\n`;
  await git.createRepository('submodule', { ...helloApp('x'), '.gitmodules': submodule });
  const odd = await world.deploy(world.project(git.url('submodule')));
  expect(odd.outcome).toMatchObject({ status: 'failed', step: 'clone' });
  await git.createRepository('hostile', {
    ...helloApp('x', { packageJson: { name: `x; ${touch}` } }),
    '.gitattributes': '* filter=evil\n',
    '.gitconfig': `[filter "evil"]\n\tsmudge = ${touch}\n`,
    '.npmrc': `script-shell=/bin/false\n`,
    'hooks/post-checkout': `#!/bin/sh\n${touch}\n`,
  });
  const { outcome, log } = await world.deploy(world.project(git.url('hostile')));
  expect(outcome, log()).toEqual({ status: 'running' });
  expect(await readdir(canaries)).toEqual([]);
});
