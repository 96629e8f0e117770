import { type AppRouter, contract } from '@nephos/contracts';
import { MAX_BATCH, TRPC_PATH } from '@nephos/contracts/constants';
import type { Table } from '@nephos/contracts/kit';
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../context.ts';
import { createContext } from './caller.ts';
import { refusalOf } from './describe-error.ts';

/** Bytes: a call's procedure is known only after its body was taken, so this is what the largest of them may have. */
const BODY_LIMIT = Math.max(
  ...Object.values<Table>(contract).flatMap((table) => Object.values(table).map((row) => row.bodyLimit)),
);

/** Registers `/trpc`, encapsulated because the plugin replaces its scope's body parsers. */
export async function addTrpcDoor(app: FastifyInstance, deps: Deps, router: AppRouter): Promise<void> {
  const trpcOptions: FastifyTRPCPluginOptions<AppRouter>['trpcOptions'] = {
    router,
    maxBatchSize: MAX_BATCH,
    createContext: async ({ req, res }) => {
      try {
        return await createContext(deps, req, res);
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
    },
    responseMeta: ({ errors }) => {
      const waits = errors.map((error) => refusalOf(error)?.retryAfter ?? 0);
      const retryAfter = Math.max(0, ...waits);
      return retryAfter > 0 ? { headers: { 'retry-after': String(retryAfter) } } : {};
    },
    onError: ({ error, path, req }) => {
      if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') {
        req.log.error({ err: error.cause ?? error, procedure: path }, 'procedure failed');
      }
    },
  };
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = BODY_LIMIT;
    });
    await scope.register(fastifyTRPCPlugin, { prefix: TRPC_PATH, trpcOptions });
  });
}
