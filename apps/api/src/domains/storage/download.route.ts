import { ById } from '@nephos/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context, Deps } from '../../context.ts';
import { notFound, unauthorized } from '../../errors.ts';
import { createContext } from '../../http/caller.ts';
import { clientAt } from '../../http/client-address.ts';
import { countCall } from '../../http/rate-limit.ts';
import { sendFile } from './send-file.ts';
import { type FileRow, findOwn, findPublic } from './service.ts';

const CALLS_PER_MINUTE = 300;

function idOf(request: FastifyRequest): string {
  const params = ById.safeParse(request.params);
  if (!params.success) throw notFound();
  return params.data.id;
}

async function countDownload(deps: Deps, caller: string): Promise<void> {
  await countCall(deps, { key: `storage.download:${caller}`, calls: CALLS_PER_MINUTE, seconds: 60 });
}

/** The file that this person may read; somebody else's private one is not there. */
async function findReadable({ db, user }: Context, id: string): Promise<FileRow> {
  const file = (user && (await findOwn(db, user.id, id))) ?? (await findPublic(db, id));
  if (file) return file;
  throw user ? notFound() : unauthorized();
}

/**
 * `GET|HEAD /api/storage/{id}/download` for the owner (and for anyone when the file is public), with ranges, `ETag`
 * and `?inline=1`; `GET|HEAD /files/{id}/{fileName}`: a public file for anyone, whatever name the address has.
 */
export function addDownloadRoutes(app: FastifyInstance, deps: Deps): void {
  const method = ['GET', 'HEAD'];
  app.route({
    method,
    url: '/api/storage/:id/download',
    handler: async (request, reply) => {
      const ctx = await createContext(deps, request, reply);
      await countDownload(deps, ctx.user?.id ?? clientAt(ctx.ip));
      const file = await findReadable(ctx, idOf(request));
      return sendFile(deps, request, reply, { file, cache: 'private' });
    },
  });

  app.route({
    method,
    url: '/files/:id/:fileName',
    handler: async (request, reply) => {
      await countDownload(deps, clientAt(request.ip));
      const file = await findPublic(deps.db, idOf(request));
      if (!file) throw notFound();
      // Other sites may show what is public; the console's own pages stay its own.
      reply.header('cross-origin-resource-policy', 'cross-origin');
      return sendFile(deps, request, reply, { file, cache: 'public' });
    },
  });
}
