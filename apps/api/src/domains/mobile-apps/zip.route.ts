import { ById, mobileAppZipPath } from '@nephos/contracts';
import { type PlainOperation, refused, SIGNED_IN } from '@nephos/contracts/openapi';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../context.ts';
import { notFound, unauthorized } from '../../errors.ts';
import { createContext } from '../../http/caller.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { countCall } from '../../http/rate-limit.ts';
import { configuredApp } from './service.ts';
import { zipOf } from './zip.ts';

const CALLS_PER_MINUTE = 60;

/** The route as OpenAPI writes it. */
export const zipOperation: PlainOperation = {
  route: `GET ${mobileAppZipPath('{id}')}`,
  tag: 'mobileApps',
  operation: {
    operationId: 'mobileApps.filesZip',
    summary: 'Every generated file of a configured app, as one zip archive',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
    responses: {
      200: {
        description: 'The archive',
        content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
      },
      ...refused(401, 'No live session'),
      ...refused(404, 'No such app, or not yours'),
      ...refused(409, 'The app has no build configuration yet'),
      ...refused(429, 'Too many downloads'),
    },
    security: SIGNED_IN,
  },
};

/** `GET|HEAD /api/mobile-apps/{id}/files.zip`: named after the app, with the same bytes for the same files. */
export function addZipRoute(app: FastifyInstance, deps: Deps): void {
  app.get(mobileAppZipPath(':id'), async (request, reply) => {
    const { user, ...ctx } = await createContext(deps, request, reply);
    if (!user) throw unauthorized();
    await countCall(deps, { key: `mobileApps.filesZip:${user.id}`, calls: CALLS_PER_MINUTE, seconds: 60 });
    const params = ById.safeParse(request.params);
    if (!params.success) throw notFound();
    const { name, files } = await configuredApp({ ...ctx, user }, params.data.id);
    // A slash would be a folder to whoever saves the file.
    const fileName = `${name.replaceAll(/[/\\]/g, '-')}.zip`;
    return reply
      .type('application/zip')
      .header('content-disposition', contentDisposition('attachment', fileName))
      .header('x-content-type-options', 'nosniff')
      .send(zipOf(files));
  });
}
