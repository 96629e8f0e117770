import { readFileSync } from 'node:fs';
import { placeOf } from './embedded-cluster.ts';
import { isAlive, readLock } from './embedded-leftover.ts';

/** Lines of PostgreSQL's lock file: its process, its port, and whether it takes connections. */
const PID = 0;
const PORT = 3;
const STATE = 7;

/**
 * The superuser's address of the embedded PostgreSQL in `dataDir` that another process of ours runs; undefined where
 * none does. It carries the password: never log it.
 */
export async function addressOfRunning(dataDir: string): Promise<string | undefined> {
  const folder = placeOf(dataDir);
  const lines = (await readLock(folder))?.split('\n') ?? [];
  if (!isAlive(Number(lines[PID])) || lines[STATE]?.trim() !== 'ready') return undefined;
  const password = encodeURIComponent(readFileSync(`${folder}.password`, 'utf8').trim());
  return `postgres://postgres:${password}@127.0.0.1:${Number(lines[PORT])}/postgres`;
}
