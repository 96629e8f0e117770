import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const UNPACK = join(import.meta.dirname, 'unpack-chromium.ts');

/** As a test wants it: nothing fetched in the background, and at home in a container, where there is no sandbox. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface Program {
  executablePath: string;
  env?: Record<string, string | undefined>;
}

let shared: Browser | undefined;

/** The one browser of a test worker, for all its files: it ends with the worker's process. */
export async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await launchBrowser();
  return shared;
}

/** A headless Chromium: the one of `CHROMIUM_PATH`, or else the one that our packages bring, the same on every machine. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...(await findProgram()), args: [...FLAGS, ...flags] });
}

async function findProgram(): Promise<Program> {
  const named = process.env.CHROMIUM_PATH;
  return named ? { executablePath: named } : packaged();
}

/** The packaged browser comes with the libraries and fonts that a bare machine lacks. */
async function packaged(): Promise<Program> {
  const folder = await unpackOnce();
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
      XDG_CACHE_HOME: join(folder, 'cache'),
    },
  };
}

/** One copy per person and version. It appears whole: of two runs that unpack at once, the second takes the first's. */
async function unpackOnce(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `nephos-browser-${uid}-${packagedVersion()}`);
  if (!existsSync(folder)) {
    const half = await mkdtemp(`${folder}-`);
    await promisify(execFile)(process.execPath, [UNPACK], { env: { ...process.env, TMPDIR: half } });
    await rename(half, folder).catch(() => rm(half, { recursive: true, force: true }));
  }
  const { uid: owner, mode } = statSync(folder);
  if (owner !== uid || (mode & 0o022) !== 0) throw new Error(`${folder} is not ours alone: remove it`);
  return folder;
}

function packagedVersion(): string {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  const manifest = join(dirname(dirname(entry)), 'package.json');
  return String(JSON.parse(readFileSync(manifest, 'utf8')).version);
}
