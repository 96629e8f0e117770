import { type DatabaseMoveState, GB, type ManagedDatabase } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import { byteSize } from '../../platform/byte-size.ts';
import type { DatabasesParts } from './databases.ts';
import type { DatabaseEngines } from './engines/engine.ts';
import { beginWork } from './long-work.ts';
import type { MoveWork } from './move-work.ts';
import { type DatabaseRow, findAvailable, findDatabase } from './read.ts';
import { asked, assertServer } from './server-failure.ts';

const NOT_THESE = 'Only PostgreSQL databases get a server of their own by a move.';
const GIVEN =
  'Databases on the server of MANAGED_POSTGRES_URL stay there: they do not sleep, and Nephos does not back them up.';
const HAS_ONE = 'This database has a server of its own already.';

type Servers = { servers: DatabaseEngines };

/** Throws 404 and 409 NOT_AVAILABLE. */
export async function readMoveState(
  { db, ownerId }: UserContext,
  { servers }: Servers,
  id: string,
): Promise<DatabaseMoveState> {
  const row = await findAvailable(db, ownerId, id);
  const unavailable = whyNotMovable(servers, row) ?? (row.activity === null ? '' : HAS_ONE);
  return { unavailable, error: row.moveError };
}

function whyNotMovable(servers: DatabaseEngines, { type }: Pick<DatabaseRow, 'type'>): string | undefined {
  if (type !== 'postgresql') return NOT_THESE;
  return servers[type].move ? undefined : GIVEN;
}

/**
 * It is moved in the background. Throws 404, 409 NOT_AVAILABLE, NOT_MOVABLE, HAS_OWN_SERVER, TOO_SMALL and BUSY, and 503
 * while its server cannot be asked.
 */
export async function startMove(
  { db, ownerId, audit }: UserContext,
  { servers, log }: Pick<DatabasesParts, 'servers' | 'log'>,
  work: Pick<MoveWork, 'move'>,
  id: string,
): Promise<ManagedDatabase> {
  const row = await findAvailable(db, ownerId, id);
  const reason = whyNotMovable(servers, row);
  if (reason) throw conflict('NOT_MOVABLE', reason);
  if (row.activity !== null) throw conflict('HAS_OWN_SERVER', HAS_ONE);
  const engine = servers[row.type];
  assertServer(engine);
  const { size } = await asked({ engine, log }, () => engine.usage(row.engineName));
  if (size > row.storageSize * GB) {
    const held = `This database holds ${byteSize(size)}, and a server of its own keeps to its storage of ${row.storageSize} GB`;
    throw conflict('TOO_SMALL', `${held}: raise that first.`);
  }
  return atomically(db, async (trx) => {
    await beginWork(trx, { ownerId, id, work: 'moving' });
    await trx
      .updateTable('managedDatabases')
      .set({ moveError: '' })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
    audit.note({ subject: { name: row.name } });
    await work.move(trx, id);
    return findDatabase(trx, ownerId, id);
  });
}
