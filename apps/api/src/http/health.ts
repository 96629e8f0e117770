import { isMigrated } from '@nephos/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../context.ts';
import { unavailable } from '../errors.ts';

/** `/healthz`: the process answers. `/readyz`: so does its database, with every migration. */
export function addHealthRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (!(await isMigrated(db))) throw unavailable('The database is not migrated yet.');
    return { status: 'ready' };
  });
}
