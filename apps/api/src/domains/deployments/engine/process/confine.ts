import { readFileSync } from 'node:fs';
import type { Limits } from '../limits.ts';
import type { Toolchain } from './toolchain.ts';

/**
 * An argument vector that gives up gaining privileges and limits itself before it becomes `argv`: no core dumps, open
 * files, threads of the account, and for builds the size of one file. Where util-linux is missing, `argv` itself.
 */
export function confined(
  argv: readonly string[],
  options: { toolchain: Toolchain; limits: Limits; maxFileBytes?: number },
): string[] {
  const { toolchain, limits } = options;
  const privileges = toolchain.setpriv ? [toolchain.setpriv, '--no-new-privs', '--'] : [];
  if (!toolchain.prlimit) return [...privileges, ...argv];
  const openFiles = Math.min(limits.openFiles, hardLimit('Max open files'));
  const bounds = ['--core=0', `--nofile=${openFiles}`];
  if (options.maxFileBytes) bounds.push(`--fsize=${options.maxFileBytes}`);
  // The count is per account over the whole machine: as somebody's own account it would count their desktop.
  if (process.getuid?.() === 0)
    bounds.push(`--nproc=${Math.min(limits.threads, hardLimit('Max processes'))}`);
  return [...privileges, toolchain.prlimit, ...bounds, '--', ...argv];
}

function hardLimit(name: string): number {
  const row = readFileSync('/proc/self/limits', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(name));
  const [, hard] = row?.slice(name.length).trim().split(/\s+/) ?? [];
  return hard && /^\d+$/.test(hard) ? Number(hard) : Number.POSITIVE_INFINITY;
}
