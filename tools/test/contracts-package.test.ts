import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../apps/api/test/world.ts';
import { currentNode, packageFile, root, toolEnvironment, withPnpm } from '../process.mjs';

const run = promisify(execFile);
const contracts = join(root, 'packages', 'contracts');

/** What another team's service would write. */
const CONSUMER = `
import { createClient } from '@nephos/contracts/client';
import type { Inputs, Outputs } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';

const [url = '', cookie = ''] = process.argv.slice(2);
const client = createClient({ url, headers: () => ({ cookie }) });

const input: Inputs['projects']['create'] = { name: 'From outside' };
const created: Outputs['projects']['create'] = await client.projects.create.mutate(input);
const slug: string = created.slug;
// @ts-expect-error: the contract knows no such framework
const wrong: Inputs['projects']['create'] = { name: 'x', framework: 'cobol' };
// @ts-expect-error: a list of projects has no such member
const missing = (await client.projects.list.query())[0]?.password;

const refused = await client.projects.get.query({ id: 'none' }).catch((error) => error.data.reason);
console.log(JSON.stringify({ slug, refused, starter: PLANS.starter.price, wrong: wrong.name, missing }));
`;

let folder: string;
let world: World;

async function versionOf(name: string): Promise<string> {
  const manifest = await readFile(packageFile('packages/contracts', name, 'package.json'), 'utf8');
  return JSON.parse(manifest).version;
}

async function pnpm(args: string[], cwd: string): Promise<void> {
  await run('npm', withPnpm('pnpm', args), { cwd, env: toolEnvironment() });
}

async function installConsumer(tarball: string): Promise<string> {
  const consumer = join(folder, 'consumer');
  const peers = ['@trpc/client', '@trpc/server'];
  const versions = await Promise.all(peers.map(async (name) => [name, await versionOf(name)]));
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: { '@nephos/contracts': `file:${tarball}`, ...Object.fromEntries(versions) },
  };
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(consumer, 'main.ts'), CONSUMER);
  await pnpm(['install', '--prefer-offline', '--ignore-workspace'], consumer);
  return consumer;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-contracts-'));
  world = await createWorld({ running: true });
  await run(currentNode(), [packageFile('.', 'typescript', 'bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: contracts,
  });
  await pnpm(['pack', '--pack-destination', folder], contracts);
});

afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function tarballPath(): Promise<string> {
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  return join(folder, name ?? '');
}

test('the packed contract serves an outside service that has no server package', async () => {
  const consumer = await installConsumer(await tarballPath());
  const installed = await readdir(join(consumer, 'node_modules', '.pnpm'));
  expect(installed.filter((name) => /^(fastify|kysely|pg|@nephos\+(api|db|web))@/.test(name))).toEqual([]);

  const types = packageFile('.', '@types/node', 'package.json').replace(
    /\/@types\/node\/package\.json$/,
    '/@types',
  );
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024', '--noEmit'];
  await run(
    currentNode(),
    [
      packageFile('.', 'typescript', 'bin/tsc'),
      ...options,
      '--typeRoots',
      types,
      '--types',
      'node',
      '--skipLibCheck',
      'main.ts',
    ],
    { cwd: consumer },
  );

  const ada = await world.as('Ada');
  const { stdout } = await run(currentNode(), ['main.ts', world.url, ada.cookie], { cwd: consumer });
  expect(JSON.parse(stdout)).toEqual({
    slug: 'from-outside',
    refused: 'NOT_FOUND',
    starter: 2900,
    wrong: 'x',
  });
});

test('its checkers find nothing', async () => {
  const tarball = await tarballPath();
  const publint = packageFile('packages/contracts', 'publint', 'src/cli.js');
  const { stdout } = await run(currentNode(), [publint, 'run', tarball, '--strict']);
  expect(stdout).toContain('All good!');
  const attw = packageFile('packages/contracts', '@arethetypeswrong/cli', 'dist/index.js');
  await run(currentNode(), [attw, '--profile', 'esm-only', tarball]);
});
