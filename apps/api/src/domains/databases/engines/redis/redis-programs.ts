import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { findPrograms } from '../../../deployments/engine/process/find-program.ts';

/** Where packages put servers, which a person's PATH often leaves out. */
const SYSTEM_FOLDERS = '/usr/bin:/usr/sbin:/usr/local/bin:/usr/local/sbin';
const SERVERS = ['redis-server', 'valkey-server'];

/** The Redis or Valkey server of this machine: absolute paths. */
export interface RedisPrograms {
  server: string;
  /** What the system calls its processes: packages install one program under several names. */
  processName: string;
  /** Bounds what a process may take; undefined where the machine has no such program. */
  prlimit: string | undefined;
}

/** Looks on `path` and in the system's `places`; undefined where there is no server. */
export function findRedis(path = '', places = SYSTEM_FOLDERS): RedisPrograms | undefined {
  const everywhere = `${path}:${places}`;
  const [server] = SERVERS.flatMap((name) => findPrograms(name, everywhere));
  if (!server) return undefined;
  const [prlimit] = findPrograms('prlimit', everywhere);
  return { server, processName: basename(realpathSync(server)), prlimit };
}
