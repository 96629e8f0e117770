import { Readable } from 'node:stream';
import { type AppRouter, type StoredFile, storage } from '@nephos/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../context.ts';
import { unauthorized } from '../../errors.ts';
import { createContext } from '../../http/caller.ts';
import { createGate } from '../../http/gate.ts';
import { createRestCall, fastifyRoute } from '../../http/rest.ts';
import { fileListJson } from './file-list-json.ts';

/** Bodies of up to 14 MiB that may be in memory at once, and how long others wait for a place (reliability §2). */
const BODIES = { places: 4, patience: 10_000 };

/** `GET /api/storage`, which streams its answer, and `POST /api/storage`, which waits before it reads its body. */
export function addStorageRoutes(app: FastifyInstance, deps: Deps, router: AppRouter): void {
  const list = createRestCall(deps, router, 'storage.list', storage.list);
  const create = createRestCall(deps, router, 'storage.create', storage.create);
  const gate = createGate(BODIES);

  /** Only who is signed in gets a place, and it is theirs until they are answered or gone. */
  async function waitForPlace(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { user } = await createContext(deps, request, reply);
    if (!user) throw unauthorized();
    const leave = await gate.enter();
    if (reply.raw.destroyed) leave();
    else reply.raw.once('close', leave);
  }

  app.route({
    ...fastifyRoute(storage.create),
    bodyLimit: storage.create.bodyLimit,
    onRequest: waitForPlace,
    handler: async (request, reply) => (await create(request, reply)).output,
  });

  app.route({
    ...fastifyRoute(storage.list),
    handler: async (request, reply) => {
      const { ctx, output } = await list(request, reply);
      // The procedure has validated the query and its own answer.
      const withData = (request.query as { fileData?: unknown }).fileData !== 'false';
      const files = output as StoredFile[];
      if (!ctx.user || !withData || request.method === 'HEAD') return files;
      return Readable.from(fileListJson(ctx, ctx.user.id, files), { objectMode: false });
    },
  });
}
