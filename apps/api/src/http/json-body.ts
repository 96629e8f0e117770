import type { FastifyInstance } from 'fastify';
import { invalid, unsupportedMediaType } from '../errors.ts';
import { hasBody } from './slow-clients.ts';

const JSON_TYPE = /^application\/json(; ?charset=utf-8)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i;

/** Takes bodies as JSON only, an empty one of any type as no input (reliability rule G4). */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.removeContentTypeParser('application/json');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    parse(request, String(body), (error, parsed) =>
      error ? done(invalid('The request body is not valid JSON.')) : done(null, parsed),
    );
  });

  app.addHook('onRequest', async ({ headers, routeOptions }) => {
    const { anyBody, formBody } = routeOptions.config;
    if (anyBody || !hasBody({ headers })) return;
    const type = headers['content-type'] ?? '';
    if (!JSON_TYPE.test(type) && !(formBody && FORM_TYPE.test(type))) throw unsupportedMediaType();
  });
}
