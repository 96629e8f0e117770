import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../platform/html.ts';
import type { AuthParts } from './auth.ts';
import { finishConnection, notThisSession } from './connections.ts';
import { noteGroups } from './group-roles.ts';
import { clientOf, noteFailure } from './login-answers.ts';
import { framed, LINK } from './login-page.ts';
import type { OidcIdentity } from './oidc.ts';
import { safeReturnTo } from './return-to.ts';
import type { LiveSession } from './sessions.ts';

/** The browser's session, where it is this one. Throws 403. */
export async function sessionOf(
  { sessions }: Pick<AuthParts, 'sessions'>,
  request: FastifyRequest,
  sessionId: string,
): Promise<LiveSession> {
  const session = await sessions.read(request.headers.cookie);
  if (session?.sessionId !== sessionId) throw notThisSession();
  return session;
}

interface Connecting {
  /** The session's public id. */
  connect: string;
  /** What people call the provider. */
  name: string;
  returnTo: string;
  /** Redeems what the browser brought of the provider. */
  finish(): Promise<OidcIdentity>;
}

/** Connects the account of who is logged in, and leads back; what kept it from that is told on a page. */
export async function connectOwn(
  deps: AuthParts,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { connect, name, returnTo, finish }: Connecting,
): Promise<FastifyReply> {
  try {
    const session = await sessionOf(deps, request, connect);
    const identity = await finish();
    await finishConnection(deps, session, { identity, ip: clientOf(request).ip });
    await noteGroups(deps, session.user.id, identity);
    return reply.redirect(safeReturnTo(returnTo), 303);
  } catch (error) {
    const { message } = noteFailure(request, reply, error);
    const page = framed({
      title: 'Not connected',
      heading: `${name} is not connected`,
      lead: 'Your account is as it was.',
      alert: message,
      body: html`<p class="text-sm"><a href="${safeReturnTo(returnTo)}" class="${LINK}">Back to your account</a></p>`,
    });
    return reply.type('text/html; charset=utf-8').send(page);
  }
}
