import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Account } from '@nephos/db';
import { findPrograms } from '../find-program.ts';
import type { Mount } from '../mount.ts';

/** A program that gives a command a file system, processes and a host name of its own, where the system allows it. */
export interface Bubblewrap {
  program: string;
  /** What becomes the project's account inside, where we are root. */
  setpriv: string;
  /** Arguments by which the system's programs are there, and nothing else. */
  system: readonly string[];
}

/** What a command finds of the machine. */
export interface View {
  /** Whom the command runs as, where we are root. */
  account: Account | undefined;
  env: Readonly<Record<string, string>>;
  /** Where it starts. */
  folder: string;
  home: string;
  /** It stands in the place of `/tmp`, too. */
  tmp: string;
  /** What it may write to. */
  own: readonly Mount[];
  /** What it may read. */
  readable: readonly string[];
  hosts: string;
  resolvers: string;
}

/** Links of a merged `/usr`, or folders. */
const ROOTS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** What programs read of `/etc` to work at all; no accounts, keys and services of the machine. */
const SETTINGS = [
  ...[
    'alternatives',
    'ca-certificates',
    'ca-certificates.conf',
    'crypto-policies',
    'debian_version',
    'fonts',
  ],
  ...[
    'gai.conf',
    'host.conf',
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'localtime',
    'magic',
    'mime.types',
  ],
  ...['nsswitch.conf', 'os-release', 'pki', 'protocols', 'services', 'ssl', 'terminfo', 'timezone'],
].map((name) => `/etc/${name}`);
const SHARED_MEMORY = 64 * 1024 ** 2;
const TEMPORARY = 256 * 1024 ** 2;
/** What bubblewrap needs as root: to go into the project's folder, and to become its account. */
const CAPABILITIES = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP', 'CAP_DAC_READ_SEARCH'];
/** The first descriptor after the standard ones. */
const FIRST = 3;
const TRIAL_MS = 10_000;

/** Finds it and tries it out, since systems forbid it in many ways; a sentence says why there is none. */
export async function findBubblewrap(path: string): Promise<Bubblewrap | string> {
  if (process.platform !== 'linux') return 'Bubblewrap needs Linux.';
  const [program] = findPrograms('bwrap', path);
  const [setpriv] = findPrograms('setpriv', path);
  if (!program) return 'Bubblewrap is not installed.';
  if (!setpriv) return 'setpriv (util-linux) is not installed.';
  const found = { program, setpriv, system: systemArguments() };
  const trial: View = {
    account: process.getuid?.() === 0 ? { uid: 20_000, gid: 20_000 } : undefined,
    ...{
      env: { PATH: path },
      folder: '/',
      home: '/',
      tmp: tmpdir(),
      own: [],
      readable: [],
      hosts: '',
      resolvers: '',
    },
  };
  return (await works(found, trial))
    ? found
    : 'Bubblewrap is installed, but this system does not let it run.';
}

async function works(bubblewrap: Bubblewrap, view: View): Promise<boolean> {
  const { argv, inputs } = inBubblewrap(bubblewrap, view, ['true']);
  const [program = '', ...args] = argv;
  try {
    const stdio = ['ignore', 'ignore', 'ignore', ...inputs.map(() => 'pipe' as const)] as const;
    const child = spawn(program, args, { env: {}, stdio: [...stdio], timeout: TRIAL_MS });
    feed(child, inputs);
    await once(child, 'exit');
    return child.exitCode === 0;
  } catch {
    return false;
  }
}

/** Writes what a command reads from the descriptors after the standard ones. */
export function feed(child: { stdio: readonly unknown[] }, inputs: readonly string[]): void {
  for (const [index, text] of inputs.entries()) {
    const pipe = child.stdio[FIRST + index];
    if (pipe === null || typeof pipe !== 'object' || !('end' in pipe)) continue;
    // Node's types leave open what lies there; all of these were made as pipes.
    const stream = pipe as NodeJS.WritableStream;
    // It may have ended before it has read everything.
    stream.on('error', () => {});
    stream.end(text);
  }
}

/**
 * The argument vector that runs `argv` with this view, and what it is given by descriptors. Variables go that way, too:
 * where we are root, no program sees those of a project before it is the project's account, and nobody else does in the
 * list of processes.
 */
export function inBubblewrap(
  { program, setpriv, system }: Bubblewrap,
  view: View,
  argv: readonly string[],
): { argv: string[]; inputs: string[] } {
  const { account } = view;
  const files = Object.entries(filesOf(view));
  const data = files.flatMap(([path], index) => [
    '--perms',
    '0644',
    '--ro-bind-data',
    String(FIRST + 1 + index),
    path,
  ]);
  const words = [...namespaces(account), ...variables(view), ...system, ...data, ...folders(view)];
  const become = account
    ? [
        `--reuid=${account.uid}`,
        `--regid=${account.gid}`,
        '--clear-groups',
        '--inh-caps=-all',
        '--bounding-set=-all',
      ]
    : [];
  return {
    argv: [program, '--args', String(FIRST), '--', setpriv, ...become, '--no-new-privs', '--', ...argv],
    inputs: [words.map((word) => `${word}\0`).join(''), ...files.map(([, text]) => text)],
  };
}

function namespaces(account: Account | undefined): string[] {
  return [
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--hostname', 'app', '--die-with-parent'],
    ...(account
      ? ['--cap-drop', 'ALL', ...CAPABILITIES.flatMap((name) => ['--cap-add', name])]
      : ['--unshare-user']),
  ];
}

function variables({ env }: View): string[] {
  return ['--clearenv', ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])];
}

/** What is made for it instead of the machine's own, by path. */
function filesOf({ account, home, hosts, resolvers }: View): Record<string, string> {
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  const gid = account?.gid ?? process.getgid?.() ?? 0;
  const isRoot = uid === 0;
  return {
    '/etc/passwd': `${isRoot ? '' : 'root:x:0:0::/:/bin/false\n'}app:x:${uid}:${gid}::${home}:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
    '/etc/group': `${gid === 0 ? '' : 'root:x:0:\n'}app:x:${gid}:\nnogroup:x:65534:\n`,
    '/etc/hosts': hosts,
    '/etc/resolv.conf': resolvers,
  };
}

function folders({ folder, tmp, own, readable }: View): string[] {
  const paths = [...readable, ...own.map((mount) => mount.path ?? mount.folder)];
  // Below a folder of the project's nothing is mounted: a link there could lead us away.
  const isFree = (place: string) => !paths.some((path) => path.startsWith(`${place}/`));
  const temporary = (place: string) =>
    isFree(place)
      ? ['--bind', tmp, place]
      : ['--perms', '1777', '--size', String(TEMPORARY), '--tmpfs', place];
  return [
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--perms', '1777', '--size', String(SHARED_MEMORY), '--tmpfs', '/dev/shm'],
    ...open('/var'),
    ...['/tmp', '/var/tmp'].flatMap(temporary),
    ...['/run', '/var/run'].flatMap((path) => ['--dir', path]),
    ...[...new Set(paths.map(dirname))].flatMap(open),
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    ...own.flatMap((mount) => ['--bind-try', mount.folder, pathOf(mount, own)]),
    ...['--remount-ro', '/', '--chdir', folder],
  ];
}

/** A folder to pass through. What bubblewrap makes by itself is as closed as what is mounted in it. */
function open(path: string): string[] {
  return ['--perms', '0755', '--dir', path];
}

/** As root, bubblewrap makes a missing folder to mount at: where the project can write, a link could lead it away. */
function pathOf(mount: Mount, own: readonly Mount[]): string {
  const path = mount.path ?? mount.folder;
  const isWithin = own.some((other) => other !== mount && path.startsWith(`${other.path ?? other.folder}/`));
  if (isWithin) throw new Error(`A folder cannot be mounted inside another one: ${path}`);
  return path;
}

function systemArguments(): string[] {
  const roots = ROOTS.flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return [];
    return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...roots,
    ...open('/etc'),
    ...SETTINGS.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
  ];
}

/** Whether a path lies in what `systemArguments` shows anyway. */
export function isSystemPath(path: string): boolean {
  return ['/usr', ...ROOTS, ...SETTINGS].some((place) => path === place || path.startsWith(`${place}/`));
}
