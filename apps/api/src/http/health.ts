import type { FastifyInstance } from 'fastify';
import type { Deps } from '../context.ts';
import { createReadyCheck } from './ready-check.ts';

/** `/healthz`: the process answers. `/readyz`: so does its database, and all that a request can need has begun. */
export function addHealthRoutes(app: FastifyInstance, deps: Deps): void {
  const assertReady = createReadyCheck(deps);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    await assertReady();
    return { status: 'ready' };
  });
}
