import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unauthorized } from '../core/errors.ts';
import { type Identify, readCaller } from './caller.ts';
import { createGate } from './gate.ts';

/** Bytes of a body that need no place. */
export const SMALL = 1024 * 1024;
/** Bodies that may be in memory at once, how many of them one person's, and milliseconds that others wait for a place. */
const BODIES = { places: 8, each: 4, patience: 10_000 };

/** Whether a body is large, or may be, and will be read into memory. */
function takesPlace({ headers, routeOptions }: FastifyRequest): boolean {
  const limit = routeOptions.bodyLimit ?? 0;
  if (routeOptions.config.anyBody || limit <= SMALL) return false;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = Number(headers['content-length'] ?? 0);
  return length > SMALL && length <= limit;
}

/**
 * Makes large bodies wait, unread, for one of eight places, so that many at once do not fill the memory. Only who is
 * signed in gets a place, and four at most, which leaves as many to others; it is theirs until they are answered or gone.
 */
export function queueLargeBodies(app: FastifyInstance, identify: Identify): void {
  const gate = createGate(BODIES);
  app.addHook('onRequest', async (request, reply) => {
    if (!takesPlace(request)) return;
    const { user } = await readCaller(identify, request, reply);
    if (!user) throw unauthorized();
    const leave = await gate.enter(user.id);
    if (reply.raw.destroyed) leave();
    else reply.raw.once('close', leave);
  });
}
