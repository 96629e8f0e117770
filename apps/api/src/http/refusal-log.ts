import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusalOf } from './describe-error.ts';

/** Milliseconds in which the same reason is logged once. */
const QUIET = 10_000;
/** Reasons that are remembered at once; beyond that they are logged anew. */
const REASONS = 100;

/** Why a request was refused with 503. */
const reasons = new WeakMap<FastifyRequest, string>();

/** Remembers what was thrown for the log, where it is a refusal with 503. */
export function noteRefusal(request: FastifyRequest, thrown: unknown): void {
  const refusal = refusalOf(thrown);
  if (refusal?.code !== 'SERVICE_UNAVAILABLE') return;
  const { cause, message } = refusal;
  reasons.set(request, cause instanceof Error && cause.message ? cause.message : message);
}

/**
 * Logs each refusal with 503 with its reason, one line with the request's id. Of those with the same reason in ten
 * seconds only the first has a line, and the next line says how many were left out.
 */
export function logRefusals(app: FastifyInstance): void {
  const lately = new Map<string, { since: number; leftOut: number }>();
  app.addHook('onResponse', async (request) => {
    const reason = reasons.get(request);
    if (reason === undefined) return;
    const now = performance.now();
    const before = lately.get(reason);
    if (before && now - before.since < QUIET) {
      before.leftOut += 1;
      return;
    }
    if (lately.size >= REASONS) lately.clear();
    lately.set(reason, { since: now, leftOut: 0 });
    const { id: requestId, method, routeOptions } = request;
    const leftOut = before?.leftOut ?? 0;
    const alike = leftOut > 0 && { leftOut };
    request.log.warn({ requestId, method, route: routeOptions.url, reason, ...alike }, 'refused with 503');
  });
}
