import type { DatabaseEngines } from './engines/engine.ts';
import type { DatabaseRow } from './read.ts';

/** Who throws it is tried again until the replica takes it that runs there. */
export class Elsewhere extends Error {
  override readonly name = 'Elsewhere';
  constructor() {
    super('The server of this database is on another machine.');
  }
}

/** Throws `Elsewhere` where the server of a database is on another machine. */
export async function assertHere(
  servers: DatabaseEngines,
  { type, home }: Pick<DatabaseRow, 'type' | 'home'>,
): Promise<void> {
  if (home && home !== (await servers[type].home?.())) throw new Elsewhere();
}
