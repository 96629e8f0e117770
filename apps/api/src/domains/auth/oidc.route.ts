import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Settings } from '../../core/env.ts';
import { invalid } from '../../core/errors.ts';
import type { AuthParts } from './auth.ts';
import { cookieName, readCookie, writeCookie } from './cookies.ts';
import { clientOf, inviteOf, letIn, returnToOf, textsIn } from './login-answers.ts';
import { countVisit } from './login-limits.ts';
import { createOidcProvider } from './oidc.ts';
import { enterByIdentity } from './oidc-entrance.ts';
import { safeReturnTo } from './return-to.ts';
import { placeFor } from './welcome.ts';

const CALLBACK = '/api/login/oidc/callback';
const MAX_AGE_SECONDS = 600;
const SEAL_CONTEXT = 'oidc-login';

/** What the browser keeps, sealed, while it is at the provider. */
const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  /** The token of an invitation's link; '' without one. */
  invite: z.string(),
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
export function addOidcRoutes(
  app: FastifyInstance,
  deps: AuthParts,
  settings: NonNullable<Settings['oidc']>,
): void {
  const { publicUrl } = deps.settings;
  const secure = publicUrl.protocol === 'https:';
  const name = cookieName('oidc', secure);
  const provider = createOidcProvider(settings, {
    redirectUri: new URL(CALLBACK, publicUrl).href,
    onFailure: (reason, cause) =>
      deps.log.warn({ issuer: settings.issuer, reason, cause }, 'log-in by provider failed'),
  });

  app.get('/api/login/oidc', { exposeHeadRoute: false }, async (request, reply) => {
    await countVisit(deps, request.ip);
    const again = textsIn(request.query).again === '1';
    const { url, checks } = await provider.begin(again);
    const attempt: Attempt = {
      ...checks,
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

  app.get(CALLBACK, { exposeHeadRoute: false }, async (request, reply) => {
    await countVisit(deps, request.ip);
    reply.header('set-cookie', writeCookie({ name, value: '', maxAge: 0, secure }));
    const { returnTo, invite, ...checks } = openAttempt(deps, readCookie(request.headers.cookie, name));
    const identity = await provider.finish(new URL(request.url, publicUrl), checks);
    const entry = await enterByIdentity(deps, { identity, invite }, clientOf(request));
    await deps.pictures.follow(entry.user.id, identity.pictureUrl);
    await letIn(deps, request, reply, entry);
    return reply.redirect(placeFor(deps, entry.user, safeReturnTo(returnTo)), 303);
  });
}
