import { parse as parseForm } from 'node:querystring';
import { Login, Signup } from '@nephos/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden } from '../../core/errors.ts';
import { utf8Form } from '../../http/utf8.ts';
import { limitVisits } from '../../http/visit-limit.ts';
import type { AuthParts } from './auth.ts';
import { addConnectRoutes, type EnterByPassword } from './connect.route.ts';
import { addEmailChangeRoutes } from './email-change.route.ts';
import { logIn, signUp } from './entrance.ts';
import { addSecondFactorRoutes } from './factors/second-factor.route.ts';
import { addImpersonationRoute } from './impersonate.route.ts';
import { clientOf, isOwnNavigation, returnToOf, sendFailure, sendLoginPage } from './login-answers.ts';
import { FORM, inputOf } from './login-form.ts';
import { countLogin, countSignup, countVisit, forgiveLogins } from './login-limits.ts';
import { pageAddress } from './login-page.ts';
import { forgetPending } from './pending-identities.ts';
import { addResetRoutes } from './reset.route.ts';
import { welcome } from './welcome.ts';

function addLogin(app: FastifyInstance, deps: AuthParts): void {
  const askSecondFactor = addSecondFactorRoutes(app, deps);
  app.get('/api/login', async (request, reply) => {
    const session = await deps.sessions.read(request.headers.cookie);
    if (session) return reply.redirect(returnToOf(request), 303);
    const forgotten = forgetPending(deps, request.headers.cookie);
    if (forgotten) reply.header('set-cookie', forgotten);
    await sendLoginPage(deps, request, reply);
    return reply;
  });

  const enter: EnterByPassword = async (request, reply, input) => {
    const { ip, headers } = request;
    const device = deps.devices.idOf(headers.cookie, input.email);
    const attempt = { ip, email: input.email, device };
    await countLogin(deps, attempt);
    const entry = await logIn(deps, input, clientOf(request));
    await forgiveLogins(deps, attempt);
    if ('userId' in entry) return askSecondFactor(request, reply, entry);
    return welcome(deps, request, reply, { entry, status: 200 });
  };
  app.post('/api/login', FORM, async (request, reply) => enter(request, reply, inputOf(Login, request)));
  if (deps.settings.oidc.length > 0) addConnectRoutes(app, deps, enter);
}

function addSignup(app: FastifyInstance, deps: AuthParts): void {
  // Where a refused sign-up leaves the browser's address bar.
  app.get('/api/signup', async (request, reply) =>
    reply.redirect(pageAddress('signup', returnToOf(request)), 303),
  );

  app.post('/api/signup', FORM, async (request, reply) => {
    const input = inputOf(Signup, request);
    await countSignup(deps, request.ip, input.email);
    const entry = await signUp(deps, input, clientOf(request));
    return welcome(deps, request, reply, { entry, status: 201 });
  });
}

function addLogout(app: FastifyInstance, deps: AuthParts): void {
  app.get('/api/logout', { exposeHeadRoute: false }, async (request, reply) => {
    if (!isOwnNavigation(request)) {
      throw forbidden('CSRF', 'The request came from another site. Use Log out in the console.');
    }
    await countVisit(deps, request.ip);
    return reply
      .header('set-cookie', await deps.sessions.end(request.headers.cookie, clientOf(request)))
      .redirect(returnToOf(request), 302);
  });
}

/** `/api/login`, `/api/signup` and `/api/logout`: pages and forms for people, JSON for programs. */
export async function addLoginRoutes(app: FastifyInstance, deps: AuthParts): Promise<void> {
  const { settings } = deps;
  limitVisits(app, settings, 'pages');
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseForm(utf8Form(body)),
  );
  app.setErrorHandler((error, request, reply) => sendFailure(deps, request, reply, error));

  addLogin(app, deps);
  addSignup(app, deps);
  addLogout(app, deps);
  addImpersonationRoute(app, deps);
  addResetRoutes(app, deps);
  addEmailChangeRoutes(app, deps);
  if (settings.oidc.length > 0) {
    const { addOidcRoutes } = await import('./oidc.route.ts');
    for (const provider of settings.oidc) addOidcRoutes(app, deps, provider);
  }
}
