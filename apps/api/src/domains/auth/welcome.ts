import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { assertPlainJson } from '../../http/plain-json.ts';
import type { AuthParts } from './auth.ts';
import type { Entry } from './entrance.ts';
import { isForm, letIn, returnToOf } from './login-answers.ts';

export const FORM = { config: { formBody: true } };

/** A request's body by its schema, whether a form or JSON. */
export function inputOf<S extends z.ZodType>(schema: S, request: FastifyRequest): z.output<S> {
  assertPlainJson(request.body);
  return schema.parse(request.body ?? {});
}

interface Welcome {
  entry: Entry;
  status: 200 | 201;
  /** `Set-Cookie` values beside that of the session. */
  setCookies: readonly string[];
}

/** Hands over the session that began, and leads a browser on. */
export async function welcome(
  deps: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { entry, status, setCookies }: Welcome,
): Promise<FastifyReply> {
  await letIn(deps, request, reply, entry);
  for (const setCookie of setCookies) reply.header('set-cookie', setCookie);
  return isForm(request) ? reply.redirect(returnToOf(request), 303) : reply.code(status).send(entry.user);
}
