import type { FastifyReply, FastifyRequest } from 'fastify';
import { noteRefusal } from '../../../http/refusal-log.ts';
import { registryErrorOf } from './registry-error.ts';

/** Whether an address is the registry's, whose errors have their own form. */
export function isRegistryPath(url: string): boolean {
  return url.startsWith('/v2/');
}

/** Answers whatever was thrown as the OCI distribution spec 1.1 "Error Codes" has it. */
export function sendRegistryError(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const { status, code, message, detail, headers } = registryErrorOf(thrown);
  if (status === 500) request.log.error({ err: thrown }, 'request failed');
  noteRefusal(request, thrown);
  const error = { code, message, ...(detail !== undefined && { detail }) };
  return reply
    .code(status)
    .removeHeader('content-length')
    .headers(headers)
    .type('application/json')
    .send(JSON.stringify({ errors: [error] }));
}
