import type { Framework } from '@nephos/contracts';
import { describe, expect, it } from 'vitest';
import { detect } from './detect.ts';
import type { Snapshot } from './snapshot.ts';

function snapshot(files: Record<string, string | object>): Snapshot {
  const texts = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
  return { names: new Set(Object.keys(files)), texts, publicIndex: 'public' in files };
}

const plan = (framework: Framework, files: Record<string, string | object>) =>
  detect(framework, snapshot(files), '/app');

const PACKAGE = { scripts: { build: 'tsc', start: 'node server.js' }, devDependencies: { typescript: '7' } };

describe('nodejs', () => {
  it.each([
    ['npm with a lock file', { 'package-lock.json': '' }, ['npm', 'ci', '--include=dev']],
    ['npm without one', {}, ['npm', 'install', '--include=dev']],
    [
      'pnpm',
      { 'pnpm-lock.yaml': "lockfileVersion: '9.0'" },
      [
        'npm',
        'exec',
        '--yes',
        '--package=pnpm@10',
        '--',
        'pnpm',
        '-C',
        '/app',
        'install',
        '--frozen-lockfile',
        '--prod=false',
      ],
    ],
    [
      'pnpm with an old lock file',
      { 'pnpm-lock.yaml': "lockfileVersion: '6.0'" },
      expect.arrayContaining(['--package=pnpm@8']),
    ],
    [
      'yarn 1',
      { 'yarn.lock': '# yarn lockfile v1' },
      expect.arrayContaining(['--package=yarn@1.22.22', '--frozen-lockfile', '--production=false']),
    ],
    [
      'yarn 4',
      { 'yarn.lock': '__metadata:\n  version: 8' },
      expect.arrayContaining(['--package=@yarnpkg/cli-dist@4', '--immutable']),
    ],
  ])('installs by %s', (_, files, argv) => {
    const { install, build } = plan('nodejs', { 'package.json': PACKAGE, ...files });
    expect(install.map((command) => command.argv)).toEqual([argv]);
    expect(build).toHaveLength(1);
  });

  it('honours an exact packageManager, and only that', () => {
    const asked = (packageManager: string) =>
      plan('nodejs', { 'package.json': { ...PACKAGE, packageManager }, 'pnpm-lock.yaml': '' }).install[0]
        ?.argv[3];
    expect(asked('pnpm@9.1.0+sha512.abc')).toBe('--package=pnpm@9.1.0');
    expect(asked('pnpm@latest')).toBe('--package=pnpm@10');
    expect(asked('pnpm@9.1.0 --evil')).toBe('--package=pnpm@10');
    expect(asked('yarn@1.22.0')).toBe('--package=pnpm@10');
  });

  it('installs nothing where there is nothing to install', () => {
    expect(plan('nodejs', { 'package.json': { main: 'a.js' } }).install).toEqual([]);
    expect(
      plan('nodejs', { 'package.json': { main: 'a.js', scripts: { prepare: 'x' } } }).install,
    ).toHaveLength(1);
  });

  it.each([
    [{ scripts: { start: 'node server.js --a=1' } }, ['node', 'server.js', '--a=1']],
    [{ scripts: { start: 'next start' } }, ['next', 'start']],
    [{ scripts: { start: 'A=1 node server.js' } }, ['npm', 'run', 'start']],
    [{ scripts: { start: 'node a.js && node b.js' } }, ['npm', 'run', 'start']],
    [{ scripts: { start: 'vite preview --port $PORT' } }, ['npm', 'run', 'start']],
    [{ scripts: { start: 'cd dist' } }, ['npm', 'run', 'start']],
    [{ scripts: { start: 'node a.js', prestart: 'x' } }, ['npm', 'run', 'start']],
    [{ main: './dist/main.js' }, ['node', 'dist/main.js']],
    [{ main: '--eval=1' }, ['node', 'index.js']],
    [{}, ['node', 'index.js']],
  ])('starts %j', (json, argv) => {
    expect(plan('nodejs', { 'package.json': json, 'index.js': '' }).serve).toMatchObject({ argv });
  });

  it.each([
    [{}, 'It is empty.'],
    [{ 'index.html': '' }, 'It has index.html. Set the framework to static.'],
    [{ 'requirements.txt': '' }, 'It has requirements.txt. Set the framework to python.'],
    [{ 'Cargo.toml': '' }, 'It has Cargo.toml (Rust), which this server cannot run.'],
    [{ 'composer.json': '' }, 'It has composer.json (PHP), which this server cannot run.'],
    [{ Dockerfile: '' }, 'It has Dockerfile (Docker), which this server cannot run.'],
    [{ 'package.json': '{' }, 'package.json is not valid JSON.'],
    [{ 'package.json': '[]' }, 'package.json is not a JSON object.'],
    [{ 'package.json': {} }, 'neither a start script nor a main file'],
  ])('refuses %j', (files, reason) => {
    expect(() => plan('nodejs', files)).toThrow(reason);
  });

  it('survives fields of another type', () => {
    const json = { scripts: { start: 1, build: null }, main: 5, dependencies: [], packageManager: {} };
    expect(plan('nodejs', { 'package.json': json, 'server.js': '' })).toMatchObject({
      install: [],
      build: [],
    });
  });
});

describe('static', () => {
  it('builds, or serves the root or public', () => {
    expect(plan('static', { 'package.json': PACKAGE })).toMatchObject({ serve: { built: true } });
    expect(plan('static', { 'package.json': {}, 'index.html': '' }).serve).toEqual({
      folders: ['.'],
      built: false,
    });
    expect(plan('static', { public: '' }).serve).toEqual({ folders: ['public'], built: false });
    expect(() => plan('static', { 'main.py': '' })).toThrow('Set the framework to python');
  });

  it.each([
    [{ vite: '8' }, ['dist', 'build', 'out', 'public', '_site']],
    [{ 'react-scripts': '5' }, ['build', 'dist', 'out', 'public', '_site']],
    [{ vitepress: '1' }, ['docs/.vitepress/dist', 'dist', 'build', 'out', 'public', '_site']],
    [{ 'left-pad': '1' }, ['dist', 'build', 'out', 'public', '_site']],
  ])('looks for the site of %j where that tool puts it', (devDependencies, folders) => {
    const json = { scripts: { build: 'x' }, devDependencies };
    expect(plan('static', { 'package.json': json }).serve).toEqual({ folders, built: true });
  });
});

describe('python', () => {
  it.each([
    ['gunicorn app:app --bind 0.0.0.0:$PORT', ['gunicorn', 'app:app', '--bind', '0.0.0.0:$PORT']],
    ['python -m x "two words" \'one\'', ['python', '-m', 'x', 'two words', 'one']],
    [`uvicorn a:b --port=\${PORT}`, ['uvicorn', 'a:b', `--port=\${PORT}`]],
  ])('starts web: %s', (line, argv) => {
    expect(plan('python', { Procfile: `worker: x\nweb: ${line}\n` }).serve).toMatchObject({
      argv,
      expand: true,
    });
  });

  it.each([
    'a && b',
    'a; b',
    'a | b',
    'a > b',
    '$(id)',
    '`id`',
    'X=1 a',
    `a \${P:-1}`,
    'cd x',
    'a "b',
    "a '$X'",
    'a *.py',
  ])('refuses web: %s', (line) =>
    expect(() => plan('python', { Procfile: `web: ${line}` })).toThrow('shell syntax'),
  );

  it('starts a main file', () => {
    expect(plan('python', { 'app.py': '' })).toMatchObject({
      install: [],
      serve: { argv: ['python', 'app.py'] },
    });
    expect(() => plan('python', { 'package.json': '' })).toThrow('Set the framework to nodejs');
  });
});
