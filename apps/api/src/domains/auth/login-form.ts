import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { assertPlainJson } from '../../http/plain-json.ts';

/** Of a route that takes forms beside JSON. */
export const FORM = { config: { formBody: true } };

/** The request's form or JSON. Throws 400 where it does not fit. */
export function inputOf<S extends z.ZodType>(schema: S, request: FastifyRequest): z.output<S> {
  assertPlainJson(request.body);
  return schema.parse(request.body ?? {});
}
