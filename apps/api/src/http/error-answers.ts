import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from './describe-error.ts';
import { plainPage } from './plain-page.ts';
import { logRefusals, noteRefusal } from './refusal-log.ts';

/** Paths that are never a page of the web app. */
const NOT_A_PAGE = /^\/(api|trpc|v2|git|assets)(\/|$)/;

/** Whether a browser asks for a page, rather than a program for something that is not there. */
export function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  const [path = '/'] = url.split('?');
  const reads = method === 'GET' || method === 'HEAD';
  return reads && headers.accept?.includes('text/html') === true && !NOT_A_PAGE.test(path);
}

/** What may have been said of a file before it could not be sent. */
const OF_THE_CONTENT = ['accept-ranges', 'content-disposition', 'etag', 'last-modified'];

/** Sends the one JSON shape of errors, compact and with `message` first; a page to whoever opened an address. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status, message, reason, fields, existingId, retryAfter } = describeError(error);
  if (status === 500) request.log.error({ err: error }, 'request failed');
  noteRefusal(request, error);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  // Fastify would close the connection on who is still sending, and with it take the answer from them.
  reply.removeHeader('connection');
  for (const name of OF_THE_CONTENT) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  if (wantsPage(request)) {
    const page = plainPage({ title: STATUS_CODES[status] ?? 'Error', text: message });
    return reply.code(status).type('text/html; charset=utf-8').send(page);
  }
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
