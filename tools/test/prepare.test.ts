import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../process.mjs';

/** Stands for npm: notes what it is asked for, and fails or builds as it is told. */
const FAKE_NPM = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const asked = process.argv.slice(2).join(' ');
appendFileSync('asked.log', asked + ' [' + (process.env.NODE_ENV ?? '') + ']\\n');
if (process.env.FAIL) { console.log('the registry is away'); process.exit(7); }
if (asked.includes('build')) { mkdirSync('apps/web/dist', { recursive: true }); writeFileSync('apps/web/dist/index.html', ''); }
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
  write('apps/api/src/http/docs-page.ts', 'one');
  write('packages/contracts/src/index.ts', 'one');
  write('bin/npm', FAKE_NPM, 0o755);
});

afterEach(() => rmSync(repository, { recursive: true }));

function write(path: string, text: string, mode = 0o644): void {
  const file = join(repository, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text, { mode });
}

/** What was said, and which calls of npm it took. */
function prepare(args: string[] = [], settings: Record<string, string> = {}) {
  write('asked.log', '');
  const env = {
    ...process.env,
    PATH: [join(repository, 'bin'), process.env.PATH].join(delimiter),
    ...settings,
  };
  return new Promise<{ code: unknown; said: string; asked: string[] }>((resolve) => {
    execFile(
      'node',
      ['tools/run.mjs', 'prepare', ...args],
      { cwd: repository, env },
      (error, stdout, stderr) => {
        const asked = readFileSync(join(repository, 'asked.log'), 'utf8').split('\n').filter(Boolean);
        resolve({ code: error?.code ?? 0, said: stdout + stderr, asked });
      },
    );
  });
}

const PNPM = 'exec --yes --prefer-offline --package=pnpm@1.2.3 --';

test('installs and builds once, with every package whatever NODE_ENV says', async () => {
  const first = await prepare([], { NODE_ENV: 'production' });
  expect(first.said).toBe('Installing packages…\nBuilding the web app…\n');
  expect(first.asked).toEqual([
    `${PNPM} pnpm install --frozen-lockfile []`,
    expect.stringContaining('turbo run build --filter=@nephos/web []'),
  ]);
  expect(await prepare()).toEqual({ code: 0, said: '', asked: [] });
});

test.each([
  ['pnpm-lock.yaml', ['Installing packages…', 'Building the web app…']],
  ['apps/api/package.json', ['Installing packages…']],
  ['apps/web/src/main.tsx', ['Building the web app…']],
  ['packages/contracts/src/index.ts', ['Building the web app…']],
  ['apps/api/src/domains/auth/login-page.ts', ['Building the web app…']],
  ['apps/api/src/http/docs-page.ts', ['Building the web app…']],
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

test('an image holds no development packages, and tests are not content with that', async () => {
  const { asked } = await prepare(['--production']);
  expect(asked[0]).toBe(`${PNPM} pnpm install --frozen-lockfile --prod []`);
  expect((await prepare(['--production'])).asked).toEqual([]);
  expect((await prepare()).asked[0]).toBe(`${PNPM} pnpm install --frozen-lockfile []`);
});
