import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../errors.ts';
import { sendError } from './error-answers.ts';

/** Paths that are never a page of the web app. */
const NOT_A_PAGE = /^\/(api|trpc|v2|assets)(\/|$)/;

/** Serves the built console: hashed assets for good, and its page for every other path a browser asks for. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await app.register(fastifyStatic, {
    root: folder,
    index: 'index.html',
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?');
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (wantsPage && !NOT_A_PAGE.test(path)) return reply.sendFile('index.html');
    return sendError(request, reply, notFound());
  });
}
