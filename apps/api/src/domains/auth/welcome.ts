import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthParts } from './auth.ts';
import type { Entry } from './entrance.ts';
import { isForm, letIn, returnToOf } from './login-answers.ts';

interface Welcome {
  entry: Entry;
  status: 200 | 201;
}

/** Hands over the session that began, and leads a browser on. */
export async function welcome(
  deps: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { entry, status }: Welcome,
): Promise<FastifyReply> {
  await letIn(deps, request, reply, entry);
  return isForm(request) ? reply.redirect(returnToOf(request), 303) : reply.code(status).send(entry.user);
}
