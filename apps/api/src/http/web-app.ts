import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../core/errors.ts';
import { sendError, wantsPage } from './error-answers.ts';

const PAGE = 'index.html';
const ASSETS = 'assets';

/** Serves the built console: hashed assets for good, and its page for every other path a browser asks for. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = existsSync(join(folder, PAGE));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: false,
      globIgnore: [`${ASSETS}/**`],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.includes(`/${ASSETS}/`);
        // Previews run in a frame without our origin, and load their script from here. Nothing in these is anybody's secret.
        if (hashed) {
          reply.header('access-control-allow-origin', '*');
          reply.header('cross-origin-resource-policy', 'cross-origin');
        }
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    // The plugin's own `index` is not found for clients that take a packed one.
    app.get('/', (_request, reply) => reply.sendFile(PAGE));
    // Looked up when they are asked for, since the page is too: it may be of a build that came after the start.
    app.get<{ Params: { name: string } }>(`/${ASSETS}/:name(^\\w[\\w.-]*$)`, ({ params }, reply) =>
      reply.sendFile(`${ASSETS}/${params.name}`),
    );
  }
  app.setNotFoundHandler((request, reply) =>
    isBuilt && wantsPage(request) ? reply.sendFile(PAGE) : sendError(request, reply, notFound()),
  );
}
