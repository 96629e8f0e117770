import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Context, Deps } from '../context.ts';

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Who calls, by the session cookie; a session that was prolonged gets its new cookie. */
export async function readCaller(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const session = await deps.sessions.read(request.headers.cookie);
  if (session?.setCookie) reply.header('set-cookie', session.setCookie);
  return {
    user: session?.user ?? null,
    sessionId: session?.sessionId ?? null,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    idempotencyKey: firstOf(request.headers['idempotency-key']),
    setHeader: (name, value) => {
      reply.header(name, value);
    },
  };
}

/** The context of one request's handlers. */
export async function createContext(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  return { ...deps, ...(await readCaller(deps, request, reply)) };
}
