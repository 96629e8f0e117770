import { PasswordForgotten, PasswordReset } from '@nephos/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../core/errors.ts';
import { sendError } from '../../http/error-answers.ts';
import type { AuthParts } from './auth.ts';
import { firstByField, isForm, noteFailure, textsIn } from './login-answers.ts';
import { FORM, inputOf } from './login-form.ts';
import { countResetRequest, countVisit, forgiveHere } from './login-limits.ts';
import { FORGOT_PATH, RESET_PATH, readResetLink } from './reset-links.ts';
import { forgotPage, noMailPage, oldLinkPage, resetPage, sentPage } from './reset-page.ts';
import { linkInvalid } from './resets.ts';
import { forgetStopped, stoppedBefore } from './stopped-logins.ts';

type LinkedAccount = NonNullable<Awaited<ReturnType<typeof readResetLink>>>;

const PAGE = 'text/html; charset=utf-8';

/** Asking for a link, and setting a password by it: pages and forms for people, JSON for programs. */
export function addResetRoutes(app: FastifyInstance, deps: AuthParts): void {
  app.register(async (scope) => {
    addForgotten(scope, deps);
  });
  app.register(async (scope) => {
    addReset(scope, deps);
  });
}

function addForgotten(app: FastifyInstance, deps: AuthParts): void {
  const { settings, db, mail, resets } = deps;
  app.setErrorHandler((error, request, reply) => {
    if (!isForm(request)) return sendError(request, reply, error);
    const { message, fields } = noteFailure(request, reply, error);
    const errors = firstByField(fields ?? []);
    const alert = fields?.length ? undefined : message;
    return reply.type(PAGE).send(forgotPage({ values: textsIn(request.body), errors, alert }));
  });

  app.get(FORGOT_PATH, async (_request, reply) =>
    reply.type(PAGE).send(mail.isOn ? forgotPage({ values: {}, errors: {} }) : noMailPage()),
  );

  app.post(FORGOT_PATH, FORM, async (request, reply) => {
    const { email } = inputOf(PasswordForgotten, request);
    await countResetRequest({ db, settings }, request.ip, email);
    await resets.request(email, stoppedBefore(deps, request.headers.cookie));
    return isForm(request) ? reply.type(PAGE).send(sentPage(email)) : { success: true };
  });
}

function addReset(app: FastifyInstance, deps: AuthParts): void {
  const { db, mail, resets } = deps;
  const shownOf = ({ headers }: FastifyRequest, { id, email, takesOver }: LinkedAccount) => ({
    email,
    takesOver: takesOver || stoppedBefore(deps, headers.cookie) === id,
  });
  const again = mail.isOn ? { href: FORGOT_PATH, label: 'Get another link' } : undefined;

  app.setErrorHandler(async (error, request, reply) => {
    if (request.method === 'POST' && !isForm(request)) return sendError(request, reply, error);
    const { message, fields } = noteFailure(request, reply, error);
    const { token = '' } = textsIn(request.body);
    const account = error instanceof Refusal ? undefined : await readResetLink(db, token);
    reply.type(PAGE);
    if (!account) return reply.send(oldLinkPage(message, again));
    const errors = firstByField(fields ?? []);
    const alert = fields?.length ? undefined : message;
    return reply.send(resetPage({ token, ...shownOf(request, account), errors, alert }));
  });

  app.get(RESET_PATH, async (request, reply) => {
    await countVisit(deps, request.ip);
    const { token = '' } = textsIn(request.query);
    const account = await readResetLink(db, token);
    if (!account) throw linkInvalid();
    return reply.type(PAGE).send(resetPage({ token, ...shownOf(request, account), errors: {} }));
  });

  app.post(RESET_PATH, FORM, async (request, reply) => {
    await countVisit(deps, request.ip);
    const { cookie } = request.headers;
    const { id, email } = await resets.reset(inputOf(PasswordReset, request), stoppedBefore(deps, cookie));
    const forgotten = forgetStopped(deps, cookie, id);
    if (forgotten) reply.header('set-cookie', forgotten);
    await forgiveHere(deps, request.ip, email);
    return isForm(request) ? reply.redirect('/api/login?reset', 303) : { success: true };
  });
}
