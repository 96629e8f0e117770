import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unsupportedMediaType } from '../core/errors.ts';
import { bodyTooLarge } from './describe-error.ts';
import { parseInPieces } from './json-in-pieces.ts';
import { invalidJson } from './plain-json.ts';
import { readBody } from './raw-body.ts';
import { hasBody } from './slow-clients.ts';
import { utf8Text } from './utf8.ts';

const JSON_TYPE = /^application\/json(; ?charset=utf-8)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i;

/** Parses a body's text as Fastify does, polluting keys refused; no text is no input. */
function parserOf(app: FastifyInstance): (request: FastifyRequest, text: string) => unknown {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, text) => {
    let result: unknown;
    if (text === '') return result;
    // It calls back before it returns.
    parse(request, text, (error, parsed) => {
      if (error) throw invalidJson();
      result = parsed;
    });
    return result;
  };
}

/** Takes bodies as JSON only, which no form of another site can send, and an empty one of any type as no input. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.removeContentTypeParser('application/json');
  const parse = parserOf(app);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => parse(request, utf8Text(body)),
  );

  app.addHook('onRequest', async ({ headers, routeOptions }) => {
    const { anyBody, formBody } = routeOptions.config;
    if (anyBody || !hasBody({ headers })) return;
    const type = headers['content-type'] ?? '';
    if (!JSON_TYPE.test(type) && !(formBody && FORM_TYPE.test(type))) throw unsupportedMediaType();
  });
}

/** Has the JSON of a scope's routes parsed in pieces: for those that take megabytes of it. */
export function acceptLargeJson(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  const parse = parserOf(scope);
  scope.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const limit = request.routeOptions.bodyLimit ?? 0;
    return parseInPieces(readBody(request, limit, bodyTooLarge), (text) => parse(request, text));
  });
}
