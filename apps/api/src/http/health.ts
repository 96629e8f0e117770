import { setTimeout as wait } from 'node:timers/promises';
import { type Database, isMigrated } from '@nephos/db';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { unavailable } from '../core/errors.ts';
import type { Readiness } from '../platform/readiness.ts';

/** Milliseconds that the database has to say that it is there. */
const PATIENCE = 1500;

interface ReadyParts {
  db: Kysely<Database>;
  readiness: Readiness;
}

/**
 * Throws 503 while something is missing that a request may need. Many who ask at once cost the database one question,
 * and nobody waits for its answer longer than a second and a half.
 */
function createReadyCheck({ db, readiness }: ReadyParts): () => Promise<void> {
  let asking: Promise<boolean> | undefined;

  function askDatabase(): Promise<boolean> {
    asking ??= isMigrated(db).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return async () => {
    const missing = readiness.missing();
    if (missing !== null) throw unavailable(missing);
    const answered = new AbortController();
    const late = wait(PATIENCE, 'late' as const, { signal: answered.signal, ref: false }).catch(() => 'late');
    try {
      const answer = await Promise.race([askDatabase(), late]);
      if (answer === 'late') throw unavailable(`The database didn't respond within ${PATIENCE} ms.`);
      if (!answer) throw unavailable("Database migrations haven't finished yet.");
    } finally {
      answered.abort();
    }
  };
}

/** `/healthz`: the process answers. `/readyz`: so does its database, and all that a request can need has begun. */
export function addHealthRoutes(app: FastifyInstance, parts: ReadyParts): void {
  const assertReady = createReadyCheck(parts);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    await assertReady();
    return { status: 'ready' };
  });
}
