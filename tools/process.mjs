import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What asks a program to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const NODE_MAJOR = 24;

/** A line for the person who waits. Standard output belongs to the command itself. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Ends this process with one line of what is wrong.
 * @returns {never}
 */
export function fail(line) {
  say(line);
  process.exit(1);
}

/**
 * The Node that our code runs on: the packaged one, or this one if it is new enough.
 * @returns {string}
 */
export function currentNode() {
  const packaged = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(packaged)) return packaged;
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  return fail(
    `Nephos brings its own Node for Linux on x64 and arm64; on ${process.platform}-${process.arch} install Node ${NODE_MAJOR} or later`,
  );
}

/**
 * How Node runs the server: a small young generation keeps its memory flat under large transfers, `gc` is for what the
 * start leaves behind, and sources are taken without their types.
 */
export const SERVER_FLAGS = [
  '--max-semi-space-size=4',
  '--expose-gc',
  `--import=${pathToFileURL(join(root, 'tools', 'without-types.mjs'))}`,
];

/**
 * What the server's environment has beside what the system's administrator sets. Files are read, written and synced by
 * threads of a pool, which has four by itself: the syncs of as many uploads keep all others waiting. Each thread would keep
 * memory of its own, which glibc gives back to none, so they share two stores of it.
 */
export const SERVER_ENVIRONMENT = { UV_THREADPOOL_SIZE: '16', MALLOC_ARENA_MAX: '2' };

/**
 * A file of a package as the workspace folder `from` sees it.
 * @returns {string}
 */
export function packageFile(from, name, file) {
  const path = join(root, from, 'node_modules', name, file);
  if (!existsSync(path)) fail(`${name} is not installed: remove node_modules and try again`);
  return path;
}

/** npm's arguments that run `command` with the pnpm of package.json on its PATH. */
export function withPnpm(command, args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Without --prefer-offline, npm asks the registry each time, and fails without a network.
  return ['exec', '--yes', '--prefer-offline', `--package=${packageManager}`, '--', command, ...args];
}

/** Neither a prompt nor telemetry, and the development packages too, whatever NODE_ENV says. */
export function toolEnvironment() {
  const { NODE_ENV: _mode, npm_config_omit: _omit, npm_config_production: _production, ...env } = process.env;
  return {
    ...env,
    CI: '1',
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    PATH: [join(root, 'node_modules', '.bin'), env.PATH].join(delimiter),
  };
}

/** Runs a tool with its output shown; its exit code. */
export function runToEnd(command, args, { withPnpm: needsPnpm = false } = {}) {
  const [file, argv] = needsPnpm ? ['npm', withPnpm(command, args)] : [command, args];
  return new Promise((resolve) => {
    const child = spawn(file, argv, { cwd: root, env: toolEnvironment(), stdio: 'inherit' });
    child.once('error', (error) => fail(`${file}: ${error.message}`));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs a tool in silence. When it fails, shows all that it said, then `advice`, and ends this process. */
export function runQuietly(file, args, { advice, cwd = root }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env: toolEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const cutShort = (signal) => {
      child.kill(signal);
      process.exit(1);
    };
    for (const signal of SIGNALS) process.on(signal, cutShort);
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', (error) => fail(`${file}: ${error.message}`));
    child.once('close', (code) => {
      for (const signal of SIGNALS) process.off(signal, cutShort);
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(output));
      fail(advice);
    });
  });
}
