import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Context, Deps } from '../context.ts';
import { readToken } from '../domains/auth/access-tokens.ts';
import { forbidden } from '../errors.ts';

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** The token of `Authorization: Bearer <token>` (RFC 6750 §2.1); undefined for any other header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.match(/^Bearer +([^ ]+)$/i)?.[1];
}

/** Refuses an access token for reading what is more than that: a write, or a secret by which one could be made. */
export function assertMayWrite({ tokenScope }: Pick<Caller, 'tokenScope'>): void {
  if (tokenScope !== 'read') return;
  throw forbidden(
    'FORBIDDEN',
    'This access token can only read, and sees no passwords. Use one that can write.',
  );
}

type Identity = Pick<Caller, 'user' | 'sessionId' | 'tokenScope'>;

async function identityOf(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Identity> {
  const token = bearerOf(request.headers.authorization);
  // Who shows a token is its bearer or nobody: a cookie beside it must not step in for one that has ended.
  if (token !== undefined) {
    const bearer = await readToken(deps.db, token);
    return { user: bearer?.user ?? null, sessionId: null, tokenScope: bearer?.token.scope ?? null };
  }
  const session = await deps.sessions.read(request.headers.cookie);
  if (session?.setCookie) reply.header('set-cookie', session.setCookie);
  return { user: session?.user ?? null, sessionId: session?.sessionId ?? null, tokenScope: null };
}

/** Who calls, by an access token or by the session cookie; a session that was prolonged gets its new cookie. */
export async function readCaller(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  return {
    ...(await identityOf(deps, request, reply)),
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    idempotencyKey: firstOf(request.headers['idempotency-key']),
    setHeader: (name, value) => {
      reply.header(name, value);
    },
    foundExisting() {},
    hangUp: () => {
      request.raw.destroy();
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
