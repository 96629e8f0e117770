import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthParts } from './auth.ts';
import type { Entry } from './entrance.ts';
import { isForm, letIn, returnToOf } from './login-answers.ts';

interface Welcome {
  entry: Entry;
  status: 200 | 201;
}

/** Whoever makes the first account decides what the server is for; all of it can wait. */
const FIRST_PAGE = '/admin?tab=settings';

function placeFor(request: FastifyRequest, { entry, status }: Welcome): string {
  const place = returnToOf(request);
  const isFirst = status === 201 && entry.user.role === 'admin';
  return isFirst && place === '/' ? FIRST_PAGE : place;
}

/** Hands over the session that began, and leads a browser on. */
export async function welcome(
  deps: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  arrival: Welcome,
): Promise<FastifyReply> {
  const { entry, status } = arrival;
  await letIn(deps, request, reply, entry);
  if (!isForm(request)) return reply.code(status).send(entry.user);
  return reply.redirect(placeFor(request, arrival), 303);
}
