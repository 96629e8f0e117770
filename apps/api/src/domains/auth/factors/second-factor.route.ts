import { SecondFactor } from '@nephos/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../../../core/errors.ts';
import { describeError } from '../../../http/describe-error.ts';
import { noteRefusal } from '../../../http/refusal-log.ts';
import type { AuthParts } from '../auth.ts';
import { clientOf, isForm, returnToOf } from '../login-answers.ts';
import { FORM, inputOf } from '../login-form.ts';
import { countVisit } from '../login-limits.ts';
import { pageAddress } from '../login-page.ts';
import { welcome } from '../welcome.ts';
import { readFactors } from './factors.ts';
import { createHalfLogins, type HalfLogin, type HalfLogins, logInAgain } from './half-login.ts';
import { addPasskeyRoutes } from './passkey.route.ts';
import { secondFactorAddress, secondFactorPage } from './second-factor-page.ts';
import { logInByCode } from './second-step.ts';

/** Asks who gave the right password for a second factor: people by a page, programs by 403 SECOND_FACTOR_REQUIRED. */
export type AskSecondFactor = (
  request: FastifyRequest,
  reply: FastifyReply,
  half: HalfLogin,
) => Promise<FastifyReply>;

async function sendPage(
  deps: AuthParts,
  reply: FastifyReply,
  shown: { half: HalfLogin; returnTo: string; error?: string },
): Promise<FastifyReply> {
  const { totp, passkeys } = await readFactors(deps.db, deps, shown.half.userId);
  const page = secondFactorPage({ ...shown, totp, passkeys: passkeys.some(({ usable }) => usable) });
  return reply.type('text/html; charset=utf-8').send(page);
}

function addPage(app: FastifyInstance, deps: AuthParts, halves: HalfLogins): void {
  app.get('/api/login/second-factor', async (request, reply) => {
    const half = halves.read(request.headers.cookie);
    const returnTo = returnToOf(request);
    return half
      ? sendPage(deps, reply, { half, returnTo })
      : reply.redirect(pageAddress('login', returnTo), 303);
  });
}

/** `/api/login/second-factor`: the page for the code, and what it sends. */
export function addSecondFactorRoutes(app: FastifyInstance, deps: AuthParts): AskSecondFactor {
  const halves = createHalfLogins(deps);
  addPage(app, deps, halves);
  addPasskeyRoutes(app, deps, halves);

  app.post('/api/login/second-factor', FORM, async (request, reply) => {
    await countVisit(deps, request.ip);
    const half = halves.read(request.headers.cookie);
    if (!half) throw logInAgain();
    try {
      const { code } = inputOf(SecondFactor, request);
      const entry = await logInByCode(deps, { half, code }, clientOf(request));
      reply.header('set-cookie', halves.end());
      return await welcome(deps, request, reply, { entry, status: 200 });
    } catch (error) {
      const { status, message, fields, retryAfter, reason } = describeError(error);
      if (!isForm(request) || status >= 500 || (reason === 'VALIDATION' && !fields)) throw error;
      noteRefusal(request, error);
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      const wrong = fields?.[0]?.message ?? message;
      return sendPage(deps, reply.code(status), { half, returnTo: returnToOf(request), error: wrong });
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
