import type { DatabaseExtension, databaseExtensions } from '@nephos/contracts';
import type { Earlier, Once } from '@nephos/contracts/implement';
import pg from 'pg';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound, unprocessable } from '../../core/errors.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { ExtensionsAtServer } from '../databases/engines/engine.ts';
import { OFFERED_EXTENSIONS } from '../databases/engines/postgres/extension-list.ts';
import { ExtensionRefusal } from '../databases/engines/postgres/postgres-extensions.ts';
import { findAvailable } from '../databases/read.ts';
import { asked } from '../databases/server-failure.ts';

type Parts = Pick<DatabasesParts, 'servers' | 'log'>;
type Done = { success: true };

/** By name. Throws 404, 409 NOT_AVAILABLE and SHARED_SERVER, and 503. */
export async function listExtensions(
  ctx: UserContext,
  parts: Parts,
  id: string,
): Promise<DatabaseExtension[]> {
  const extensions = await ask(ctx, parts, id, ({ server }) => server.list());
  return extensions.map((extension) => ({ ...extension, about: OFFERED_EXTENSIONS[extension.name] ?? '' }));
}

/** Throws 404 for one that is not offered, too, 409 IN_THE_WAY, and 422 with the words of the server. */
export async function addExtension(
  ctx: UserContext,
  parts: Parts,
  { id, name }: z.output<typeof databaseExtensions.add.input>,
  once: Once<UserContext>,
): Promise<Done | Earlier<Done>> {
  return change(ctx, parts, { id, name }, once, (server) => server.add(name));
}

/** Throws 404, 409 DEPENDED, and 422 with the words of the server. */
export async function removeExtension(
  ctx: UserContext,
  parts: Parts,
  { id, name, cascade }: z.output<typeof databaseExtensions.remove.input>,
  once: Once<UserContext>,
): Promise<Done | Earlier<Done>> {
  return change(ctx, parts, { id, name }, once, (server) => server.remove({ name, cascade }));
}

async function change(
  ctx: UserContext,
  parts: Parts,
  { id, name }: { id: string; name: string },
  once: Once<UserContext>,
  work: (server: ExtensionsAtServer) => Promise<void>,
): Promise<Done | Earlier<Done>> {
  if (!Object.hasOwn(OFFERED_EXTENSIONS, name)) throw notFound();
  const subject = await ask(ctx, parts, id, async ({ server, database }) => {
    await work(server);
    return { name: database };
  });
  return once(async ({ audit }) => {
    audit.note({ subject });
    return { success: true };
  });
}

/** What the server refuses is told in its own words; what else fails is its trouble. */
async function ask<T>(
  { db, ownerId }: UserContext,
  { servers, log }: Parts,
  id: string,
  question: (at: { server: ExtensionsAtServer; database: string }) => Promise<T>,
): Promise<T> {
  const row = await findAvailable(db, ownerId, id);
  const engine = servers[row.type];
  if (!engine.extensions || row.activity === null) {
    throw conflict(
      'SHARED_SERVER',
      'Extensions are added here to databases with a server of their own only.',
    );
  }
  const { extensions } = engine;
  const answer = await asked({ engine, log }, async () => {
    try {
      const value = await extensions(row.engineName, (server) => question({ server, database: row.name }));
      return { value };
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return { refusal };
    }
  });
  if ('refusal' in answer) throw answer.refusal;
  return answer.value;
}

function refusalOf(error: unknown): Error | undefined {
  if (error instanceof ExtensionRefusal) return conflict(error.code, error.message);
  if (error instanceof pg.DatabaseError) return unprocessable('REFUSED_BY_SERVER', error.message);
  return undefined;
}
