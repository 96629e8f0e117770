import { SecondFactor } from '@nephos/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../../../core/errors.ts';
import { describeError } from '../../../http/describe-error.ts';
import { noteRefusal } from '../../../http/refusal-log.ts';
import type { AuthParts } from '../auth.ts';
import type { KnownDevices } from '../known-device.ts';
import { clientOf, isForm, returnToOf } from '../login-answers.ts';
import { countVisit } from '../login-limits.ts';
import { pageAddress } from '../login-page.ts';
import { FORM, inputOf, welcome } from '../welcome.ts';
import { createHalfLogins, type HalfLogin, type HalfLogins, logInAgain } from './half-login.ts';
import { secondFactorAddress, secondFactorPage } from './second-factor-page.ts';
import { logInByCode } from './second-step.ts';

/** Asks who gave the right password for a second factor: people by a page, programs by 403 SECOND_FACTOR_REQUIRED. */
export type AskSecondFactor = (
  request: FastifyRequest,
  reply: FastifyReply,
  half: HalfLogin,
) => Promise<FastifyReply>;

function sendPage(reply: FastifyReply, returnTo: string, error?: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(secondFactorPage({ returnTo, error }));
}

function addPage(app: FastifyInstance, halves: HalfLogins): void {
  app.get('/api/login/second-factor', async (request, reply) =>
    halves.read(request.headers.cookie)
      ? sendPage(reply, returnToOf(request))
      : reply.redirect(pageAddress('login', returnToOf(request)), 303),
  );
}

/** `/api/login/second-factor`: the page for the code, and what it sends. */
export function addSecondFactorRoutes(
  app: FastifyInstance,
  deps: AuthParts,
  devices: KnownDevices,
): AskSecondFactor {
  const halves = createHalfLogins(deps);
  addPage(app, halves);

  app.post('/api/login/second-factor', FORM, async (request, reply) => {
    await countVisit(deps, request.ip);
    const half = halves.read(request.headers.cookie);
    if (!half) throw logInAgain();
    try {
      const { code } = inputOf(SecondFactor, request);
      const entry = await logInByCode(deps, { half, code }, clientOf(request));
      const isKnown = devices.idOf(request.headers.cookie, half.email) !== undefined;
      const setCookies = [halves.end(), ...(isKnown ? [] : [devices.introduce(half.email)])];
      return await welcome(deps, request, reply, { entry, status: 200, setCookies });
    } catch (error) {
      const { status, message, fields, retryAfter, reason } = describeError(error);
      if (!isForm(request) || status >= 500 || (reason === 'VALIDATION' && !fields)) throw error;
      noteRefusal(request, error);
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      return sendPage(reply.code(status), returnToOf(request), fields?.[0]?.message ?? message);
    }
  });

  return async (request, reply, half) => {
    reply.header('set-cookie', halves.begin(half));
    if (isForm(request)) return reply.redirect(secondFactorAddress(returnToOf(request)), 303);
    throw forbidden(
      'SECOND_FACTOR_REQUIRED',
      'Enter the code of your authenticator app: POST /api/login/second-factor with {"code":"123456"}.',
    );
  };
}
