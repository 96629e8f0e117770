import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Framework } from '@nephos/contracts';
import type { RuntimeState } from '../engine.ts';
import { findPrograms } from './find-program.ts';
import { networkVariables, npmVariables, type PipSettings, pipSettings } from './host-network.ts';
import { createNpmShelf, type NpmShelf } from './npm-shelf.ts';
import { findPython, type Python } from './python.ts';
import { reachableCopy } from './reachable-copy.ts';
import { NODE_GYP } from './release-programs.ts';

const run = promisify(execFile);

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];
/** The first git with `http.curloptResolve`; an older one would silently not pin the checked addresses. */
const GIT_NEEDED = [2, 37] as const;

const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'PIP_CERT'];

export interface Toolchain {
  /** PATH of builds and apps; its first folder holds our node, npm and npx. */
  path: string;
  git: string | undefined;
  /** Why git cannot be used, as one sentence; '' where it can. */
  gitReason: string;
  npm: boolean;
  /** Other versions of Node.js, and package managers. */
  shelf: NpmShelf;
  /** The folder of our own Node's headers, for packages that are compiled; undefined where it came without them. */
  headers: string | undefined;
  python: Python;
  /** Whether Hugo is installed where builds find it. */
  hugo: boolean;
  /** Programs of util-linux that limit a process before it starts. */
  prlimit: string | undefined;
  setpriv: string | undefined;
  /** Where the programs of `path` and of the others lie, as far as they are not the system's own. */
  places: readonly string[];
  /** What keeps the processes of a command together, where we are not root; empty where nothing does. */
  namespace: readonly string[];
  /** How the host reaches the internet, for builds and apps. */
  network: Readonly<Record<string, string>>;
  /** The same as npm is configured with, for builds: asked once, by the first. Never rejects. */
  npmSettings(): Promise<Record<string, string>>;
  /** Where pip gets packages, for builds: asked once, by the first. Never rejects. */
  pipSettings(): Promise<PipSettings>;
}

/** Where programs of the host are found: where it looks itself, and where every system has them. */
export function searchPath(host: Readonly<Record<string, string>>): string {
  const ofAdministrators = SYSTEM_PATH.map((folder) => folder.replace(/bin$/, 'sbin'));
  return [...(host.PATH ?? '').split(delimiter), ...SYSTEM_PATH, ...ofAdministrators].join(delimiter);
}

/**
 * Finds the programs that builds need; what our unprivileged accounts cannot reach is copied below `root`, which holds the
 * folders of projects, too.
 */
export async function findToolchain(
  { root, dataDir }: { root: string; dataDir: string },
  host: Readonly<Record<string, string>>,
): Promise<Toolchain> {
  const folder = join(root, 'toolchain');
  const hostPath = searchPath(host);
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true, mode: 0o755 });
  link(bin, 'node', reachableCopy(realpathSync(process.execPath), join(folder, 'node')));
  const ownNpm = findNpm(hostPath);
  const npm = linkNpm(bin, ownNpm, join(folder, 'npm'));
  const path = [bin, ...SYSTEM_PATH].join(delimiter);
  const network = networkVariables(host);
  const env = { PATH: path, ...network };
  const headers = findHeaders(join(folder, 'headers'));
  const [git] = findPrograms('git', hostPath);
  const [gitReason, python, namespace] = await Promise.all([
    judgeGit(git),
    findPython(hostPath, join(folder, 'python')),
    findNamespace(hostPath),
  ]);
  return {
    path,
    git: gitReason === '' ? git : undefined,
    gitReason,
    npm,
    shelf: createNpmShelf({
      folder: join(folder, 'shelf'),
      projects: join(root, 'projects'),
      npm: npm ? join(bin, 'npm') : undefined,
      env,
    }),
    headers,
    python,
    hugo: findPrograms('hugo', path).length > 0,
    prlimit: findPrograms('prlimit', hostPath)[0],
    setpriv: findPrograms('setpriv', hostPath)[0],
    places: [
      folder,
      realpathSync(process.execPath),
      ...(ownNpm ? [ownNpm] : []),
      ...(headers ? [headers] : []),
      ...prefixesOf(python.command, git),
      ...certificatesIn(host),
    ],
    namespace,
    network,
    // Asking npm and pip takes longer than all the rest, and a start has no use for the answers.
    npmSettings: once(async () => (npm ? npmVariables(join(bin, 'npm'), env) : {})),
    pipSettings: once(() => pipSettings(python.command, env, { host, kept: [root, dataDir] })),
  };
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

/** What a program comes with lies beside the folder that it is in. */
function prefixesOf(...programs: (string | undefined)[]): string[] {
  return programs.flatMap((program) => (program ? [dirname(dirname(program))] : []));
}

/** Files and folders of certificates that the host's variables name. */
function certificatesIn(host: Readonly<Record<string, string>>): string[] {
  return CERTIFICATES.flatMap((name) => host[name]?.split(delimiter) ?? []).filter(isAbsolute);
}

async function judgeGit(git: string | undefined): Promise<string> {
  if (!git) return 'Git is not installed on this server.';
  const { stdout } = await run(git, ['--version'], { env: {} });
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  const good = major > GIT_NEEDED[0] || (major === GIT_NEEDED[0] && minor >= GIT_NEEDED[1]);
  return good
    ? ''
    : `This server has Git ${major}.${minor}. Version ${GIT_NEEDED.join('.')} or newer is required.`;
}

function findHeaders(copies: string): string | undefined {
  const headers = join(dirname(dirname(realpathSync(process.execPath))), 'include/node');
  return exists(join(headers, 'node_version.h')) ? reachableCopy(headers, copies) : undefined;
}

/** npm's own folder; the program on the PATH may be a link into it, or a wrapper beside the folder of a Node. */
function findNpm(path: string): string | undefined {
  const linked = findPrograms('npm', path).map((file) => realpathSync(file));
  const beside = findPrograms('node', path).map((file) =>
    join(dirname(realpathSync(file)), '../lib/node_modules/npm/bin/npm-cli.js'),
  );
  const cli = [...linked, ...beside].find((file) => basename(file) === 'npm-cli.js' && exists(file));
  return cli && dirname(dirname(cli));
}

function linkNpm(bin: string, npm: string | undefined, copies: string): boolean {
  if (!npm) return false;
  const folder = reachableCopy(npm, copies);
  link(bin, 'npm', join(folder, 'bin/npm-cli.js'));
  link(bin, 'npx', join(folder, 'bin/npx-cli.js'));
  // npm finds its own; what packages are compiled by under another manager looks for it on the PATH.
  link(bin, 'node-gyp', join(folder, NODE_GYP));
  return true;
}

function link(bin: string, name: string, target: string): void {
  rmSync(join(bin, name), { force: true });
  symlinkSync(target, join(bin, name));
}

function exists(file: string): boolean {
  try {
    realpathSync(file);
    return true;
  } catch {
    return false;
  }
}

/**
 * What an argument vector begins with so that no process that comes of it gets away: in a namespace of processes, the
 * orphans are the children of its first one, and all end with that, as it does with our server. It is tried out here,
 * since systems forbid it in many ways. Empty where it does not work, and for root, who has accounts and groups for it.
 */
export async function findNamespace(path: string): Promise<readonly string[]> {
  const [setpriv] = findPrograms('setpriv', path);
  const [unshare] = findPrograms('unshare', path);
  if (process.getuid?.() === 0 || !setpriv || !unshare) return [];
  const prefix = [
    ...[setpriv, '--pdeathsig=KILL', '--'],
    ...[unshare, '--user', '--map-current-user', '--pid', '--mount-proc', '--fork', '--kill-child', '--'],
  ];
  const [program = '', ...args] = [...prefix, 'readlink', '/proc/self'];
  const answer = await run(program, args, { env: { PATH: path }, timeout: 10_000 }).catch(() => undefined);
  return answer?.stdout.trim() === '1' ? prefix : [];
}

/** Which frameworks can be run with the programs that were found. */
export function runtimesOf(toolchain: Toolchain | undefined): RuntimeState[] {
  const common = toolchain ? toolchain.gitReason : 'The server is still starting.';
  const npm = toolchain?.npm ? '' : 'npm is not installed on this server.';
  const state = (framework: Framework, own: string): RuntimeState => {
    const reason = common || own;
    return { framework, available: reason === '', reason };
  };
  return [state('nodejs', npm), state('static', ''), state('python', toolchain?.python.reason ?? '')];
}
