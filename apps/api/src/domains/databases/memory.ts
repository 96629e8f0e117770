import type { DatabaseMemory } from '@nephos/contracts';
import { Earlier, type Once } from '@nephos/contracts/implement';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import { byteSize } from '../../platform/byte-size.ts';
import type { DatabasesParts } from './databases.ts';
import type { MemoryBound } from './engines/engine.ts';
import { MB } from './engines/redis/redis-config.ts';
import { type DatabaseRow, findAvailable } from './read.ts';
import { asked } from './server-failure.ts';
import { ROOM } from './update-database.ts';

type ServerParts = Pick<DatabasesParts, 'servers' | 'log'>;

/** What the database's server keeps to. Throws 404, 409 NOT_AVAILABLE, NOT_IN_MEMORY and SHARED_SERVER, and 503. */
export async function readMemory(
  { db, ownerId }: UserContext,
  parts: ServerParts,
  id: string,
): Promise<DatabaseMemory> {
  const row = await findAvailable(db, ownerId, id);
  return atServer(parts, row, (memory) => memory.read(row.engineName));
}

/**
 * The server has it from when this resolves; a repetition sees to it again. Throws as `readMemory` does, and 409 TOO_SMALL
 * where it holds more and may remove nothing.
 */
export async function setMemory(
  { db, ownerId }: UserContext,
  parts: ServerParts,
  { id, ...wanted }: DatabaseMemory & { id: string },
  once: Once<UserContext>,
): Promise<DatabaseMemory | Earlier<DatabaseMemory>> {
  const row = await findAvailable(db, ownerId, id);
  const { name, engineName } = row;
  const before = await atServer(parts, row, (memory) => memory.read(engineName));
  if (wanted.limit < before.limit && wanted.eviction === 'noeviction') await assertFits(parts, row, wanted);
  const noted = await once(async ({ audit }) => {
    audit.note({ subject: { name }, before });
    return wanted;
  });
  await atServer(parts, row, (memory) => memory.set(engineName, wanted));
  return noted instanceof Earlier ? new Earlier(wanted, noted.origin) : wanted;
}

async function assertFits(
  { servers, log }: ServerParts,
  { type, engineName }: DatabaseRow,
  { limit }: DatabaseMemory,
): Promise<void> {
  const engine = servers[type];
  const { size } = await asked({ engine, log }, () => engine.usage(engineName));
  if (size <= limit * MB) return;
  const least = Math.ceil((size * ROOM) / MB);
  throw conflict('TOO_SMALL', `This database holds ${byteSize(size)}: choose at least ${least} MB.`);
}

function atServer<T>(
  { servers, log }: ServerParts,
  { type, engineName }: Pick<DatabaseRow, 'type' | 'engineName'>,
  work: (memory: MemoryBound) => Promise<T>,
): Promise<T> {
  const engine = servers[type];
  const { memory } = engine;
  if (engine.sharing) throw conflict('SHARED_SERVER', engine.sharing(engineName));
  if (!memory) throw conflict('NOT_IN_MEMORY', 'Only Redis databases have a memory limit.');
  return asked({ engine, log }, () => work(memory));
}
