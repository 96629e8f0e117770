import { Login } from '@nephos/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { describeError } from '../../http/describe-error.ts';
import { noteRefusal } from '../../http/refusal-log.ts';
import type { AuthParts } from './auth.ts';
import { CONNECT_PATH, connectPage } from './connect-page.ts';
import { readFactors } from './factors/factors.ts';
import { logInAgain } from './factors/half-login.ts';
import { providerNameOf, providersOf } from './identities.ts';
import { isForm, returnToOf } from './login-answers.ts';
import { FORM, inputOf } from './login-form.ts';
import { countVisit } from './login-limits.ts';
import { pageAddress } from './login-page.ts';
import { readPending } from './pending-identities.ts';

type Pending = NonNullable<Awaited<ReturnType<typeof readPending>>>;

/** Lets somebody in by a password, or asks them for a second factor. */
export type EnterByPassword = (
  request: FastifyRequest,
  reply: FastifyReply,
  input: z.output<typeof Login>,
) => Promise<FastifyReply>;

const Given = Login.pick({ password: true });

async function sendPage(
  deps: AuthParts,
  reply: FastifyReply,
  {
    pending: { userId, accountEmail, issuer },
    ...shown
  }: { pending: Pending; returnTo: string; error?: string | undefined; alert?: string | undefined },
): Promise<FastifyReply> {
  const { passwordSet, passkeys } = await readFactors(deps.db, deps, userId);
  const page = connectPage({
    ...shown,
    provider: providerNameOf(deps.settings, issuer),
    email: accountEmail,
    password: passwordSet,
    passkeys: passkeys.some(({ usable }) => usable),
    providers: await providersOf(deps.db, deps.settings, userId),
    canReset: deps.mail.isOn,
  });
  return reply.type('text/html; charset=utf-8').send(page);
}

/** `/api/login/connect`: the page that asks for an account's own proof before a provider speaks for it. */
export function addConnectRoutes(app: FastifyInstance, deps: AuthParts, enter: EnterByPassword): void {
  app.get(CONNECT_PATH, async (request, reply) => {
    await countVisit(deps, request.ip);
    const pending = await readPending(deps, request.headers.cookie);
    const returnTo = returnToOf(request);
    return pending
      ? sendPage(deps, reply, { pending, returnTo })
      : reply.redirect(pageAddress('login', returnTo), 303);
  });

  app.post(CONNECT_PATH, FORM, async (request, reply) => {
    const pending = await readPending(deps, request.headers.cookie);
    if (!pending) throw logInAgain();
    try {
      const { password } = inputOf(Given, request);
      return await enter(request, reply, { email: pending.accountEmail, password });
    } catch (error) {
      const { status, message, fields, retryAfter, reason } = describeError(error);
      if (!isForm(request) || status >= 500) throw error;
      noteRefusal(request, error);
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      const wrong = reason === 'INVALID_CREDENTIALS' ? 'Incorrect password.' : fields?.[0]?.message;
      const said = wrong ? { error: wrong } : { alert: message };
      return sendPage(deps, reply.code(status), { pending, returnTo: returnToOf(request), ...said });
    }
  });
}
