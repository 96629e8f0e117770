import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { invalid } from '../../core/errors.ts';
import { DEFAULT_OIDC, type OidcSettings } from '../../core/settings.ts';
import type { AuthParts } from './auth.ts';
import { connectOwn, sessionOf } from './connect-own.ts';
import { connectAddress } from './connect-page.ts';
import { openTicket } from './connections.ts';
import { cookieName, readCookie, writeCookie } from './cookies.ts';
import { noteGroups } from './group-roles.ts';
import { clientOf, inviteOf, letIn, returnToOf, textsIn } from './login-answers.ts';
import { countVisit } from './login-limits.ts';
import { createOidcProvider } from './oidc.ts';
import { enterByIdentity } from './oidc-entrance.ts';
import { callbackPath, oidcPath } from './oidc-paths.ts';
import { rememberPending } from './pending-identities.ts';
import { safeReturnTo } from './return-to.ts';
import { rememberStopped } from './stopped-logins.ts';
import { placeFor } from './welcome.ts';

const MAX_AGE_SECONDS = 600;
const SEAL_CONTEXT = 'oidc-login';

/** What the browser keeps, sealed, while it is at the provider. */
const Attempt = z.object({
  /** The provider that it is at: an answer of another one is none to it. */
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  /** The token of an invitation's link; '' without one. */
  invite: z.string(),
  /** The session whose account is to be connected, by its public id; '' for a log-in. */
  connect: z.string(),
  /** Whether the person had to prove anew at the provider who they are. */
  again: z.boolean(),
  /** Milliseconds since 1970 by this server's clock, which only bounds how long a stolen cookie is of use. */
  startedAt: z.number(),
});
type Attempt = z.output<typeof Attempt>;

function startAgain() {
  return invalid('This login expired or was started in another window. Try again.');
}

function openAttempt({ secrets }: AuthParts, sealed: string | undefined): Attempt {
  if (!sealed) throw startAgain();
  let text: string;
  try {
    text = secrets.open(Buffer.from(sealed, 'base64url'), SEAL_CONTEXT);
  } catch {
    throw startAgain();
  }
  const attempt = Attempt.parse(JSON.parse(text));
  if (Date.now() - attempt.startedAt > MAX_AGE_SECONDS * 1000) throw startAgain();
  return attempt;
}

/** Log-in through an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export function addOidcRoutes(app: FastifyInstance, deps: AuthParts, settings: OidcSettings): void {
  const { publicUrl } = deps.settings;
  const secure = publicUrl.protocol === 'https:';
  const { id } = settings;
  // One for each, so that attempts at two providers at once do not end each other.
  const name = cookieName(id === DEFAULT_OIDC ? 'oidc' : `oidc_${id}`, secure);
  const callback = callbackPath(id);
  const provider = createOidcProvider(settings, {
    redirectUri: new URL(callback, publicUrl).href,
    onFailure: (reason, cause) =>
      deps.log.warn({ issuer: settings.issuer, reason, cause }, 'log-in by provider failed'),
  });

  app.get(oidcPath(id), { exposeHeadRoute: false }, async (request, reply) => {
    await countVisit(deps, request.ip);
    const { again: asked, connect: ticket } = textsIn(request.query);
    const again = asked === '1';
    const connect = ticket === undefined ? '' : openTicket(deps, ticket, id);
    if (connect !== '') await sessionOf(deps, request, connect);
    const { url, checks } = await provider.begin(again);
    const attempt: Attempt = {
      ...checks,
      ...{ provider: id, connect },
      returnTo: returnToOf(request),
      invite: inviteOf(request),
      again,
      startedAt: Date.now(),
    };
    const value = deps.secrets.seal(JSON.stringify(attempt), SEAL_CONTEXT).toString('base64url');
    return reply
      .header('set-cookie', writeCookie({ name, value, maxAge: MAX_AGE_SECONDS, secure }))
      .redirect(url.href, 302);
  });

  app.get(callback, { exposeHeadRoute: false }, async (request, reply) => {
    await countVisit(deps, request.ip);
    reply.header('set-cookie', writeCookie({ name, value: '', maxAge: 0, secure }));
    const attempt = openAttempt(deps, readCookie(request.headers.cookie, name));
    const { provider: at, connect, returnTo, invite, ...checks } = attempt;
    if (at !== id) throw startAgain();
    const finish = () => provider.finish(new URL(request.url, publicUrl), checks);
    if (connect !== '') {
      return connectOwn(deps, { request, reply }, { connect, name: settings.name, returnTo, finish });
    }
    const identity = await finish();
    const entry = await enterByIdentity(deps, { identity, invite }, clientOf(request));
    if ('token' in entry) {
      reply.header('set-cookie', rememberPending(deps, entry));
      reply.header('set-cookie', rememberStopped(deps, entry.userId));
      return reply.redirect(connectAddress(safeReturnTo(returnTo)), 303);
    }
    await noteGroups(deps, entry.user.id, identity);
    await deps.pictures.follow(entry.user.id, { address: identity.pictureUrl, issuer: settings.issuer });
    await letIn(deps, request, reply, entry);
    return reply.redirect(placeFor(deps, entry.user, safeReturnTo(returnTo)), 303);
  });
}
