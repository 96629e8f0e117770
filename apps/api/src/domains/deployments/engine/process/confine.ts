import { readFileSync } from 'node:fs';
import type { Account } from '@nephos/db';
import type { ProcessParts } from './process-parts.ts';
import type { Command } from './run-command.ts';
import { inBubblewrap } from './sandbox/bubblewrap.ts';

/** Variables by which a program loads code of the project's choice; it must not run before the limits hold. */
const LOADING = /^(LD_|GCONV_PATH$|GLIBC_TUNABLES$|LOCPATH$|NLSPATH$)/;

/**
 * Joins control groups, then becomes the command behind `--`. The shell's words are these alone: folders and command are
 * its arguments.
 */
const ENTER =
  'while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"';

type Environment = Record<string, string>;

/** How a command is spawned. */
export interface Confined {
  argv: string[];
  env: Environment;
  folder: string;
  /** Whom it is spawned as; undefined: as ourselves, and it becomes the project's account by itself. */
  account: Account | undefined;
  /** Texts for the descriptors after the standard ones. */
  inputs: string[];
}

/**
 * A command in the walls of its run, which gives up gaining privileges and limits itself before it becomes `argv`: no
 * core dumps, open files, threads of the account, and the size of one file. Where there is no bubblewrap, its processes
 * are only kept together, and where util-linux is missing, it is `argv` itself.
 */
export function confined(command: Command, parts: ProcessParts): Confined {
  const { walls, account } = command.run;
  const { toolchain, sandbox } = parts;
  const enter = walls.groups.length > 0 ? ['/bin/sh', '-c', ENTER, 'sh', ...walls.groups, '--'] : [];
  if (!sandbox.bubblewrap) {
    const { namespace, setpriv } = toolchain;
    const outer = [...enter, ...namespace, ...(setpriv ? [setpriv, '--no-new-privs', '--'] : [])];
    const inner = limited(command, parts, outer.length > 0);
    return { ...inner, argv: [...outer, ...inner.argv], folder: command.folder, account, inputs: [] };
  }
  const inner = limited(command, parts, true);
  const view = { ...viewOf(command, parts), env: inner.env };
  const { argv, inputs } = inBubblewrap(sandbox.bubblewrap, view, inner.argv);
  const network = command.sharesNetwork ? [] : walls.enterNetwork;
  return {
    argv: [...enter, ...network, ...argv],
    // Nothing of the project's says what programs do that still are root's.
    env: { PATH: toolchain.path },
    folder: '/',
    account: undefined,
    inputs,
  };
}

function viewOf({ run, env, folder, readable = [], sharesNetwork }: Command, { sandbox }: ProcessParts) {
  const { folders, mounts = [] } = run.options;
  const own = [folders.app, folders.home, folders.tmp, folders.venv].map((path) => ({ folder: path }));
  const names =
    sharesNetwork || !run.hasOwnNetwork ? sandbox.names : (sandbox.networks?.names ?? sandbox.names);
  return {
    ...{ account: run.account, env, folder, home: folders.home, tmp: folders.tmp },
    own: [...own, ...mounts],
    readable: [...sandbox.readable, folders.bin, folders.constraints, ...readable],
    ...names,
  };
}

/** The command behind what limits it; variables that load code are set after that. */
function limited(
  { argv, env, maxFileBytes }: Command,
  { toolchain, limits }: ProcessParts,
  isWrapped: boolean,
): { argv: string[]; env: Environment } {
  const { prlimit } = toolchain;
  const wrapping = prlimit ? [prlimit, ...boundsOf(limits, maxFileBytes), '--'] : [];
  const isLoading = ([name]: [string, string]) => LOADING.test(name);
  const loading = isWrapped || prlimit ? Object.entries(env).filter(isLoading) : [];
  if (loading.length === 0) return { argv: [...wrapping, ...argv], env };
  const settings = loading.map(([name, value]) => `${name}=${value}`);
  return {
    argv: [...wrapping, 'env', ...settings, ...argv],
    env: Object.fromEntries(Object.entries(env).filter((entry) => !isLoading(entry))),
  };
}

function boundsOf(limits: ProcessParts['limits'], maxFileBytes: number): string[] {
  const openFiles = Math.min(limits.openFiles, hardLimit('Max open files'));
  const bounds = ['--core=0', `--nofile=${openFiles}`, `--fsize=${maxFileBytes}`];
  // The count is per account over the whole machine: as somebody's own account it would count their desktop.
  if (process.getuid?.() === 0)
    bounds.push(`--nproc=${Math.min(limits.threads, hardLimit('Max processes'))}`);
  return bounds;
}

function hardLimit(name: string): number {
  const row = readFileSync('/proc/self/limits', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(name));
  const [, hard] = row?.slice(name.length).trim().split(/\s+/) ?? [];
  return hard && /^\d+$/.test(hard) ? Number(hard) : Number.POSITIVE_INFINITY;
}
