import type { FastifyInstance } from 'fastify';
import { invalid, unsupportedMediaType } from '../errors.ts';
import { cutSlowBody } from './body-deadline.ts';

const JSON_TYPE = /^application\/json(; ?charset=utf-8)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i;

function hasBody(headers: Record<string, unknown>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Takes bodies as JSON only, an empty one of any type as no input, and cuts off clients that are slow to send them
 * (reliability rules G4, F7).
 */
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

  app.addHook('onRequest', async (request) => {
    const { anyBody, formBody } = request.routeOptions.config;
    if (anyBody || !hasBody(request.headers)) return;
    const type = request.headers['content-type'] ?? '';
    if (!JSON_TYPE.test(type) && !(formBody && FORM_TYPE.test(type))) throw unsupportedMediaType();
  });
  // After `onRequest`, where a route may make its callers wait before it reads what they send.
  app.addHook('preParsing', async (request) => {
    if (!request.routeOptions.config.anyBody && hasBody(request.headers)) cutSlowBody(request);
  });
}
