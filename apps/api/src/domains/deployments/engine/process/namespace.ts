import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findPrograms } from './find-program.ts';

const run = promisify(execFile);

/**
 * What an argument vector begins with so that no process that comes of it gets away: in a namespace of processes, the
 * orphans are the children of its first one, and all end with that, as it does with our server. Tried out here, since
 * systems allow it or not in many ways; empty where it does not work, and as root, who has accounts and groups for it.
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
