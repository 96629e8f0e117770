import type { User } from '@nephos/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthParts } from './auth.ts';
import type { Entry } from './entrance.ts';
import { isForm, letIn, returnToOf } from './login-answers.ts';

interface Welcome {
  entry: Entry;
  status: 200 | 201;
}

/** Whoever makes the first account decides what the server is for; all of it can wait. */
const FIRST_PAGE = '/welcome';

/** Where somebody who came in is led who was on the way to `place`. */
export function placeFor({ settings }: Pick<AuthParts, 'settings'>, { role }: User, place: string): string {
  return role === 'admin' && !settings.isSetUp && place === '/' ? FIRST_PAGE : place;
}

/** Hands over the session that began, and leads a browser on. */
export async function welcome(
  deps: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { entry, status }: Welcome,
): Promise<FastifyReply> {
  await letIn(deps, request, reply, entry);
  if (!isForm(request)) return reply.code(status).send(entry.user);
  return reply.redirect(placeFor(deps, entry.user, returnToOf(request)), 303);
}
