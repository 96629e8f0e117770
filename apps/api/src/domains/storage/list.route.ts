import { Readable } from 'node:stream';
import { type AppRouter, type StoredFile, storage } from '@nephos/contracts';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../context.ts';
import { createRestCall, fastifyRoute } from '../../http/rest.ts';
import { fileListJson } from './file-list-json.ts';

/** `GET /api/storage`: the files with their data, streamed; `?fileData=false` leaves the data out. */
export function addFileListRoute(app: FastifyInstance, deps: Deps, router: AppRouter): void {
  const list = createRestCall(deps, router, 'storage.list', storage.list);
  app.route({
    ...fastifyRoute(storage.list),
    handler: async (request, reply) => {
      const { ctx, output } = await list(request, reply);
      // The procedure has validated the query and its own answer.
      const withData = (request.query as { fileData?: unknown }).fileData !== 'false';
      const files = output as StoredFile[];
      if (!ctx.user || !withData || request.method === 'HEAD') return reply.compress(JSON.stringify(files));
      return Readable.from(fileListJson(ctx, ctx.user.id, files), { objectMode: false });
    },
  });
}
