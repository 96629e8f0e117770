import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from './describe-error.ts';
import { logRefusals, noteRefusal } from './refusal-log.ts';

/** Sends the one JSON shape of errors, compact and with `message` first. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status, message, reason, fields, existingId, retryAfter } = describeError(error);
  if (status === 500) request.log.error({ err: error }, 'request failed');
  noteRefusal(request, error);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  // Fastify would close the connection on who is still sending, and with it take the answer from them.
  reply.removeHeader('connection');
  const more = { ...(fields?.length && { fields }), ...(existingId && { existingId }) };
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ message, code: reason, requestId: request.id, ...more });
}

/** Answers everything that was thrown on the way, and logs what was refused because something is not there. */
export function answerErrors(app: FastifyInstance): void {
  logRefusals(app);
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(request, reply, error));
}
