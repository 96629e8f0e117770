import { readFileSync } from 'node:fs';
import type { Limits } from '../limits.ts';
import type { Toolchain } from './toolchain.ts';

/** Variables by which a program loads code of the project's choice; it must not run before the limits hold. */
const LOADING = /^(LD_|GCONV_PATH$|GLIBC_TUNABLES$|LOCPATH$|NLSPATH$)/;

type Environment = Record<string, string>;

/**
 * A command that keeps its processes together, gives up gaining privileges and limits itself before it becomes `argv`:
 * no core dumps, open files, threads of the account, and the size of one file. Where util-linux is missing, `argv` itself.
 */
export function confined(
  { argv, env }: { argv: readonly string[]; env: Environment },
  { toolchain, limits, maxFileBytes }: { toolchain: Toolchain; limits: Limits; maxFileBytes: number },
): { argv: string[]; env: Environment } {
  const { namespace, setpriv, prlimit } = toolchain;
  const wrapping = [...namespace];
  if (setpriv) wrapping.push(setpriv, '--no-new-privs', '--');
  if (prlimit) wrapping.push(prlimit, ...boundsOf(limits, maxFileBytes), '--');
  const isLoading = ([name]: [string, string]) => LOADING.test(name);
  const loading = wrapping.length === 0 ? [] : Object.entries(env).filter(isLoading);
  if (loading.length === 0) return { argv: [...wrapping, ...argv], env };
  const settings = loading.map(([name, value]) => `${name}=${value}`);
  return {
    argv: [...wrapping, 'env', ...settings, ...argv],
    env: Object.fromEntries(Object.entries(env).filter((entry) => !isLoading(entry))),
  };
}

function boundsOf(limits: Limits, maxFileBytes: number): string[] {
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
