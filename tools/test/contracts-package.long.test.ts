import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../apps/api/test/world.ts';
import { currentNode, packageFile, root, toolEnvironment } from '../process.mjs';

const run = promisify(execFile);

/** What another team's service would write. */
const CONSUMER = `
import { createClient } from '@nephos/contracts/client';
import type { Inputs, Outputs } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { createImplement } from '@nephos/contracts/implement';
import { query } from '@nephos/contracts/kit';
import { openApiDocument } from '@nephos/contracts/openapi';

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
for (const part of [createImplement, query, openApiDocument]) if (typeof part !== 'function') throw new Error();
console.log(JSON.stringify({ slug, refused, starter: PLANS.starter.price, wrong: wrong.name, missing }));
`;

/** One of the consumer's own packages, or this repository's. */
type Compiler = 'typescript' | 'typescript-5.4' | 'ours';

let folder: string;
let world: World;
let tarball: string;

async function npm(args: string[], cwd: string): Promise<string> {
  const { stdout } = await run('npm', args, { cwd, env: toolEnvironment() });
  return stdout;
}

/** A service of another team, which has these packages beside the contract. */
async function installConsumer(name: string, packages: string[]): Promise<string> {
  const consumer = join(folder, name);
  await mkdir(consumer);
  await writeFile(
    join(consumer, 'package.json'),
    '{ "name": "consumer", "private": true, "type": "module" }',
  );
  await writeFile(join(consumer, 'main.ts'), CONSUMER);
  const quickly = ['--prefer-offline', '--no-audit', '--no-fund'];
  await npm(['install', ...quickly, tarball, '@types/node@24', ...packages], consumer);
  return consumer;
}

/** What a compiler says against the consumer and all types that it uses. */
async function complaints(consumer: string, compiler: Compiler, options: string[]): Promise<string[]> {
  const file =
    compiler === 'ours'
      ? packageFile('.', 'typescript', 'bin/tsc')
      : join(consumer, 'node_modules', compiler, 'bin', 'tsc');
  const args = [file, '--strict', '--noEmit', '--target', 'es2022', '--types', 'node', ...options, 'main.ts'];
  return run(currentNode(), args, { cwd: consumer }).then(
    () => [],
    ({ stdout }: { stdout: string }) => stdout.split('\n').filter((line) => line.includes('error TS')),
  );
}

/** tRPC's own types ask for TypeScript 5.7, and some versions for packages that they do not install. */
function withoutTrpcs(lines: string[]): string[] {
  return lines.filter((line) => !line.startsWith('node_modules/@trpc/'));
}

const NODE16 = ['--module', 'node16', '--moduleResolution', 'node16'];
const BUNDLER = ['--module', 'esnext', '--moduleResolution', 'bundler'];

/** Runs the consumer, as `name`, against a real server. */
async function useIt(consumer: string, name: string): Promise<void> {
  const person = await world.as(name);
  const { stdout } = await run(currentNode(), ['main.ts', world.url, person.cookie], { cwd: consumer });
  expect(JSON.parse(stdout)).toEqual({
    slug: expect.stringMatching(/^from-outside/),
    refused: 'NOT_FOUND',
    starter: 2900,
    wrong: 'x',
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-contracts-'));
  world = await createWorld({ running: true });
  const said = await npm(['run', '--silent', 'pack:contracts', '--', folder], root);
  tarball = said.trim();
});

afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

test('an outside service installs it with npm, beside the newest tRPC, and has no server package', async () => {
  const consumer = await installConsumer('newest', [
    '@trpc/client@11',
    'typescript@5.7.2',
    'typescript-5.4@npm:typescript@5.4.5',
  ]);
  const modules = join(consumer, 'node_modules');
  const installed = [...(await readdir(modules)), ...(await readdir(join(modules, '@nephos')))];
  expect(installed.filter((name) => /^(fastify|kysely|pg|api|db|web)$/.test(name))).toEqual([]);
  await useIt(consumer, 'Ada');

  const all = await Promise.all([
    complaints(consumer, 'typescript-5.4', NODE16).then(withoutTrpcs),
    complaints(consumer, 'typescript', BUNDLER),
    complaints(consumer, 'ours', BUNDLER),
  ]);
  expect(all.flat()).toEqual([]);
}, 240_000);

test('its types fit the oldest of the packages that it asks for', async () => {
  const manifest = JSON.parse(
    await readFile(join(root, 'packages', 'contracts', 'dist', 'package.json'), 'utf8'),
  );
  const oldest = Object.entries<string>(manifest.dependencies).map(
    ([name, range]) => `${name}@${range.replace('^', '')}`,
  );
  const consumer = await installConsumer('oldest', oldest);
  expect(withoutTrpcs(await complaints(consumer, 'ours', NODE16))).toEqual([]);
  await useIt(consumer, 'Grace');
});

test('what is packed beside the sources, by mistake, is refused with what to do', async () => {
  const packed = npm(['pack', '--dry-run'], join(root, 'packages', 'contracts'));
  await expect(packed).rejects.toThrow('npm run pack:contracts');
});

test('its checkers find nothing', async () => {
  const publint = packageFile('packages/contracts', 'publint', 'src/cli.js');
  const { stdout } = await run(currentNode(), [publint, 'run', tarball, '--strict']);
  expect(stdout).toContain('All good!');
  const attw = packageFile('packages/contracts', '@arethetypeswrong/cli', 'dist/index.js');
  await run(currentNode(), [attw, '--profile', 'esm-only', tarball]);
});
