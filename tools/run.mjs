// The one entry of every npm script. Plain JavaScript for Node 20: it runs before anything is installed.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildWeb, isWebBuilt, stripTypes } from './build.mjs';
import { installPackages } from './install.mjs';
import { packContracts } from './pack-contracts.mjs';
import {
  currentNode,
  fail,
  packageFile,
  root,
  runToEnd,
  SERVER_ENVIRONMENT,
  SERVER_FLAGS,
} from './process.mjs';
import { makeRelease } from './release.mjs';
import { supervise } from './supervise.mjs';

const MAIN = join('apps', 'api', 'src', 'main.ts');
const CLI = join('apps', 'api', 'src', 'cli.ts');
const commands = { start, dev, test, bench, check, format, prepare, nephos, 'pack-contracts': pack, release };

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name)) fail(`Usage: node tools/run.mjs ${Object.keys(commands).join('|')}`);
await commands[name]();

async function start() {
  // An image brings the web app built, and nothing that builds it.
  await installPackages(isWebBuilt() ? 'image' : 'start');
  await buildWeb();
  await stripTypes();
  const env = { ...SERVER_ENVIRONMENT, NODE_ENV: 'production', ...process.env };
  await supervise([{ command: currentNode(), args: [...SERVER_FLAGS, MAIN, ...args], env, ipc: true }]);
}

/** What one can do beside running the server: `nephos help` lists it. */
async function nephos() {
  await installPackages('image');
  const env = { NODE_ENV: 'production', ...process.env };
  await supervise([{ command: currentNode(), args: [...SERVER_FLAGS, CLI, ...args], env }]);
}

async function dev() {
  await installPackages('everything');
  const env = { ...SERVER_ENVIRONMENT, NODE_ENV: 'development', ...process.env };
  const vite = packageFile('apps/web', 'vite', 'bin/vite.js');
  await supervise([
    {
      command: currentNode(),
      args: [...SERVER_FLAGS, '--watch', '--watch-preserve-output', MAIN],
      env,
    },
    { command: currentNode(), args: [vite], env, cwd: join(root, 'apps', 'web') },
  ]);
}

async function test() {
  await installPackages('everything');
  await buildWeb();
  const vitest = packageFile('.', 'vitest', 'vitest.mjs');
  // Every test file is a process of its own, and several start servers: they share what V8 made of our sources.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...process.env };
  await supervise([{ command: currentNode(), args: [vitest, 'run', ...args], env }]);
}

async function bench() {
  await installPackages('everything');
  await buildWeb();
  await stripTypes();
  const env = { ...process.env, NODE_ENV: 'production' };
  await supervise([
    { command: currentNode(), args: [join('apps', 'api', 'bench', 'main.ts'), ...args], env },
  ]);
}

/** Formatting, lint, types, and what nothing uses; runs them all, so that one call tells everything. */
async function check() {
  await installPackages('everything');
  // The web app's table of routes is made as it is built.
  await buildWeb();
  const results = [
    await runToEnd(binary('biome'), ['check', ...args]),
    await runToEnd(binary('turbo'), ['run', 'typecheck', '--output-logs=errors-only'], { withPnpm: true }),
    // With the browser tests: both stand on the server and its tests, which are read once for both.
    await runToEnd(binary('tsc'), ['-p', 'tools']),
    await runToEnd(binary('knip'), ['--no-progress']),
  ];
  process.exitCode = results.every((code) => code === 0) ? 0 : 1;
}

async function format() {
  await installPackages('everything');
  process.exitCode = await runToEnd(binary('biome'), ['check', '--write', ...args]);
}

/** All that a start needs beforehand. An image takes `--production`: without what built the web app. */
async function prepare() {
  await installPackages(args.includes('--production') ? 'image' : 'start');
  await buildWeb();
  await stripTypes();
}

/** The contract as a package for other services, into the named folder or this one. */
async function pack() {
  await installPackages('everything');
  process.stdout.write(`${await packContracts(resolve(args[0] ?? '.'))}\n`);
}

/** What install.sh and `nephos upgrade` take, of the commit that is checked out: `<folder> <private key file>`. */
async function release() {
  const [folder, key] = args;
  if (!folder || !key) fail('Usage: npm run release -- <folder> <file of the private key to sign with>');
  await installPackages('start');
  await buildWeb();
  process.stdout.write(`${makeRelease({ folder: resolve(folder), key: resolve(key) })}\n`);
}

function binary(tool) {
  const path = join(root, 'node_modules', '.bin', tool);
  if (!existsSync(path)) fail(`${tool} is not installed: remove node_modules and try again`);
  return path;
}
