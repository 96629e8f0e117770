import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../process.mjs';

/** Stands for npm: notes what it is asked for, and fails as it is told. */
const FAKE_NPM = `#!/usr/bin/env node
const { appendFileSync } = require('node:fs');
const asked = process.argv.slice(2).join(' ');
appendFileSync('asked.log', asked + ' [' + (process.env.NODE_ENV ?? '') + ']\\n');
if (process.env.FAIL) { console.log('the registry is away'); process.exit(7); }
`;

/** Stands for what builds the web app, in its folder. */
const FAKE_VITE = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('../../asked.log', 'vite ' + process.argv.slice(2).join(' ') + '\\n');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.html', '');
`;

let repository: string;

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'nephos-prepare-'));
  cpSync(join(root, 'tools'), join(repository, 'tools'), { recursive: true });
  write('package.json', '{ "packageManager": "pnpm@1.2.3" }');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'turbo.json'])
    write(file, '');
  write('apps/web/src/main.tsx', 'one');
  write('apps/web/package.json', '{}');
  write('apps/api/src/domains/auth/login-page.ts', 'one');
  write('packages/contracts/src/index.ts', 'one');
  write('packages/db/src/index.ts', 'one');
  write('bin/npm', FAKE_NPM, 0o755);
  write('apps/web/node_modules/vite/bin/vite.js', FAKE_VITE);
  write('node_modules/vitest/vitest.mjs', '');
});

afterEach(() => rmSync(repository, { recursive: true }));

function write(path: string, text: string, mode = 0o644): void {
  const file = join(repository, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text, { mode });
}

function prepare(args: string[] = [], settings: Record<string, string> = {}) {
  return run(['prepare', ...args], settings);
}

/** What was said, and which calls of npm and vite it took. */
function run(args: string[], settings: Record<string, string> = {}) {
  write('asked.log', '');
  const env = {
    ...process.env,
    PATH: [join(repository, 'bin'), process.env.PATH].join(delimiter),
    ...settings,
  };
  return new Promise<{ code: unknown; said: string; asked: string[] }>((resolve) => {
    execFile(
      process.execPath,
      ['tools/run.mjs', ...args],
      { cwd: repository, env },
      (error, stdout, stderr) => {
        const asked = readFileSync(join(repository, 'asked.log'), 'utf8').split('\n').filter(Boolean);
        resolve({ code: error?.code ?? 0, said: stdout + stderr, asked });
      },
    );
  });
}

const INSTALL = 'exec --yes --prefer-offline --package=pnpm@1.2.3 -- pnpm install --frozen-lockfile';
const INSTALL_FOR_START = `${INSTALL} --prod []`;
const INSTALL_EVERYTHING = `${INSTALL} []`;

test('installs and builds once, the same whatever NODE_ENV says', async () => {
  const first = await prepare([], { NODE_ENV: 'production' });
  expect(first.said).toBe('Installing packages…\nBuilding the web app…\n');
  expect(first.asked).toEqual([INSTALL_FOR_START, 'vite build']);
  expect(await prepare()).toEqual({ code: 0, said: '', asked: [] });
});

test.each([
  ['pnpm-lock.yaml', ['Installing packages…', 'Building the web app…']],
  ['apps/api/package.json', ['Installing packages…']],
  ['apps/web/src/main.tsx', ['Building the web app…']],
  ['packages/contracts/src/index.ts', ['Building the web app…']],
  ['apps/api/src/domains/auth/login-page.ts', ['Building the web app…']],
  ['apps/web/src/main.test.tsx', []],
  ['apps/api/src/main.ts', []],
])('after a change of %s does %j', async (file, expected) => {
  await prepare();
  write(file, 'two');
  expect((await prepare()).said.split('\n').filter(Boolean)).toEqual(expected);
});

test('shows why it failed and what to do, and tries again next time', async () => {
  const failed = await prepare([], { FAIL: '1' });
  expect(failed.code).toBe(1);
  expect(failed.said).toMatch(
    /^Installing packages…\nthe registry is away\nThe packages could not be installed .*\n$/,
  );
  expect((await prepare()).said).toContain('Installing packages…');
});

test('strips the types off the sources, of each once', async () => {
  const stripped = () => readdirSync(join(repository, 'node_modules', '.nephos-sources'));
  write('packages/db/src/index.ts', 'const count: number = 1;');
  write('packages/db/src/index.test.ts', 'const tested: number = 1;');
  await prepare();
  const before = stripped();
  const texts = before.map((name) =>
    readFileSync(join(repository, 'node_modules/.nephos-sources', name), 'utf8'),
  );
  expect(texts.toSorted()).toEqual(['const count         = 1;', 'one']);
  write('packages/db/src/index.ts', 'const count: string = "2";');
  await prepare();
  expect(stripped().filter((name) => before.includes(name))).toHaveLength(1);
  expect(stripped()).toHaveLength(2);
});

test('a start is content with less than tests are, and what these installed is enough for it', async () => {
  expect((await prepare()).asked[0]).toBe(INSTALL_FOR_START);
  expect((await run(['test'])).asked).toEqual([INSTALL_EVERYTHING]);
  expect((await prepare()).asked).toEqual([]);
  expect((await run(['test'])).asked).toEqual([]);
});

test('a start after a change takes nothing away that tests use', async () => {
  await run(['test']);
  write('pnpm-lock.yaml', 'two');
  expect((await prepare()).asked[0]).toBe(INSTALL_EVERYTHING);
});

test('an image holds the server alone, to which the web app comes built', async () => {
  await prepare();
  rmSync(join(repository, 'node_modules', '.nephos-installed'));
  const { asked } = await prepare(['--production']);
  expect(asked).toEqual([`${INSTALL} --prod --filter=nephos --filter=@nephos/api... []`]);
  expect((await prepare(['--production'])).asked).toEqual([]);
  expect((await run(['start'])).said).not.toMatch(/Installing|Building/);
  expect((await run(['test'])).asked[0]).toBe(INSTALL_EVERYTHING);
});
