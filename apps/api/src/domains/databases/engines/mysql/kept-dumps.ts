import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '@nephos/db';
import { z } from 'zod';
import type { Credentials, Dumps } from '../engine.ts';

/** In the folder of a private server: dumps that it loads when it is first started after a restore. */
export const KEPT_DUMPS = 'dumps';
/** Among them: whose they are, as JSON. */
export const KEPT_USERS = 'users';

const Users = z.array(z.strictObject({ name: z.string().regex(/^[a-z0-9_]{1,32}$/), password: z.string() }));

/** Where the dump of a database lies in that folder. */
export const dumpOf = (name: string) => `${name}.sql`;

export function hasKeptDumps(folder: string): boolean {
  return existsSync(join(folder, KEPT_DUMPS, KEPT_USERS));
}

/**
 * Loads what a restore of the installation has kept, each database as its own user, whose password is right only once all
 * of it is there. What was cut short is done again.
 */
export async function loadKeptDumps(
  folder: string,
  {
    dumps,
    make,
    setPassword,
  }: {
    dumps: Pick<Dumps, 'write' | 'unavailable'>;
    make(credentials: Credentials): Promise<void>;
    setPassword(credentials: Credentials): Promise<void>;
  },
): Promise<void> {
  const reason = dumps.unavailable();
  if (reason) throw new Error(reason);
  const kept = join(folder, KEPT_DUMPS);
  for (const { name, password } of Users.parse(JSON.parse(readFileSync(join(kept, KEPT_USERS), 'utf8')))) {
    const dump = join(kept, dumpOf(name));
    if (existsSync(dump)) {
      const credentials = { name, password: randomBytes(24).toString('base64url') };
      await make(credentials);
      const { signal } = new AbortController();
      await dumps.write(createReadStream(dump), { from: name, credentials, signal });
      rmSync(dump);
    }
    await setPassword({ name, password });
  }
  await removeTree(kept);
}
