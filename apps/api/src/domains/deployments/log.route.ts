import { Readable } from 'node:stream';
import { ById } from '@nephos/contracts';
import { type PlainOperation, refused, SIGNED_IN } from '@nephos/contracts/openapi';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../context.ts';
import { notFound, unauthorized } from '../../errors.ts';
import { createContext } from '../../http/caller.ts';
import { countCall } from '../../http/rate-limit.ts';
import { readLog } from './log.ts';
import { findDeployment } from './service.ts';

const CALLS_PER_MINUTE = 60;

/** The route as OpenAPI writes it. */
export const logOperation: PlainOperation = {
  route: 'GET /api/deployments/{id}/log',
  tag: 'deployments',
  operation: {
    operationId: 'deployments.logText',
    summary: "A deployment's log as text",
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      { name: 'download', in: 'query', required: false, schema: { type: 'string', enum: ['1'] } },
    ],
    responses: {
      200: { description: 'The log', content: { 'text/plain': { schema: { type: 'string' } } } },
      ...refused(401),
      ...refused(404, 'No such deployment, or not yours'),
      ...refused(429),
    },
    security: SIGNED_IN,
  },
};

/**
 * `GET /api/deployments/{id}/log`: the stored log as plain text, ANSI sequences kept, streamed. `?download=1` makes
 * it a file.
 */
export function addLogRoute(app: FastifyInstance, deps: Deps): void {
  app.get('/api/deployments/:id/log', async (request, reply) => {
    const { user, db } = await createContext(deps, request, reply);
    if (!user) throw unauthorized();
    await countCall(deps, { key: `deployments.logText:${user.id}`, calls: CALLS_PER_MINUTE, seconds: 60 });
    const params = ById.safeParse(request.params);
    if (!params.success) throw notFound();
    const { id } = await findDeployment(db, user.id, params.data.id);
    const { download } = request.query as { download?: unknown };
    reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff');
    if (download === '1') reply.header('content-disposition', `attachment; filename="deployment-${id}.log"`);
    return reply.send(Readable.from(textOf(db, id), { objectMode: false }));
  });
}

async function* textOf(db: Deps['db'], id: string): AsyncGenerator<string> {
  for await (const { text } of readLog(db, id)) yield text;
}
