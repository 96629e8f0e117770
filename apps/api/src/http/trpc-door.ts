import { type AppRouter, contract } from '@nephos/contracts';
import { MAX_BATCH, TRPC_PATH } from '@nephos/contracts/constants';
import type { Table } from '@nephos/contracts/kit';
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../context.ts';
import { createContext } from './caller.ts';
import { bodyTooLarge, refusalOf } from './describe-error.ts';
import { noteRefusal } from './refusal-log.ts';

const BODY_LIMITS: ReadonlyMap<string, number> = new Map(
  Object.entries<Table>(contract).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, row]) => [`${domain}.${name}`, row.bodyLimit] as const),
  ),
);

/** Bytes that the procedures named in a path, between commas, may be sent together. */
function bodyLimitOf(paths: string): number {
  return paths.split(',').reduce((sum, path) => sum + (BODY_LIMITS.get(path) ?? 0), 0);
}

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
      noteRefusal(req, error);
      if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') {
        req.log.error({ err: error.cause ?? error, procedure: path }, 'procedure failed');
      }
    },
  };
  await app.register(async (scope) => {
    // For bodies that do not say their length beforehand; the others are held to their own procedure's bound.
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = Math.max(...BODY_LIMITS.values());
    });
    scope.addHook('onRequest', async ({ params, headers }) => {
      const { path = '' } = params as { path?: string };
      if (Number(headers['content-length'] ?? 0) > bodyLimitOf(path)) throw bodyTooLarge();
    });
    await scope.register(fastifyTRPCPlugin, { prefix: TRPC_PATH, trpcOptions });
  });
}
