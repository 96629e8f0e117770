import { atomically } from '@nephos/db';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { forbidden } from '../../core/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuthParts } from './auth.ts';
import { clientOf, isOwnNavigation, textsIn } from './login-answers.ts';
import { countVisit } from './login-limits.ts';
import { recordPassage } from './record-entrance.ts';
import { holdConsent } from './sign-in-consent.ts';

const PATH = '/api/login/as';
const SEAL_CONTEXT = 'impersonation';
const MAX_AGE_SECONDS = 60;

/** What an administrator's own session is exchanged for. */
const Ticket = z.object({
  /** Public id of that session: nobody else's browser can use the ticket. */
  sessionId: z.string(),
  userId: z.string(),
  /** Milliseconds since 1970 by this server's clock. */
  startedAt: z.number(),
});

export const NO_CONSENT = 'They have to allow it first, on their Account page.';

/** Where a browser goes to sign in as somebody, within a minute and by the session that asked. */
export function impersonationPath(
  { secrets }: Pick<Platform, 'secrets'>,
  ticket: { sessionId: string; userId: string },
): string {
  const text = JSON.stringify({ ...ticket, startedAt: Date.now() });
  return `${PATH}?ticket=${secrets.seal(text, SEAL_CONTEXT).toString('base64url')}`;
}

function openTicket({ secrets }: AuthParts, sealed: string | undefined) {
  const old = forbidden('FORBIDDEN', 'This is too old. Sign in as them again from the Users tab.');
  let text: string;
  try {
    text = secrets.open(Buffer.from(sealed ?? '', 'base64url'), SEAL_CONTEXT);
  } catch {
    throw old;
  }
  const ticket = Ticket.parse(JSON.parse(text));
  if (Date.now() - ticket.startedAt > MAX_AGE_SECONDS * 1000) throw old;
  return ticket;
}

/** Exchanges an administrator's session for one of somebody who allows that, which says so and ends with the consent. */
export function addImpersonationRoute(app: FastifyInstance, deps: AuthParts): void {
  const { db, sessions, mail, settings } = deps;
  app.get(PATH, { exposeHeadRoute: false }, async (request, reply) => {
    if (!isOwnNavigation(request)) throw forbidden('CSRF', 'The request came from another site.');
    await countVisit(deps, request.ip);
    const { sessionId, userId } = openTicket(deps, textsIn(request.query).ticket);
    const own = await sessions.read(request.headers.cookie);
    if (own?.sessionId !== sessionId || own.user.role !== 'admin' || own.impersonator) {
      throw forbidden('FORBIDDEN', 'Log in as an admin, then sign in as them from the Users tab.');
    }
    const admin = own.user;
    const client = clientOf(request);
    const setCookie = await atomically(db, async (trx) => {
      const until = await holdConsent(trx, userId);
      const user = await trx
        .selectFrom('users')
        .select(['id', 'email'])
        .where('id', '=', userId)
        .where('disabledAt', 'is', null)
        .executeTakeFirst();
      if (until === undefined || !user) throw forbidden('NO_CONSENT', NO_CONSENT);
      const impersonator = { id: admin.id, email: admin.email, until };
      await recordPassage(trx, { user, procedure: 'auth.signInAs', client, impersonator });
      await mail.queueMail(trx, {
        ...{ to: user.email, subject: 'An admin signed in as you' },
        lines: [`${admin.email} signed in to your account at ${settings.publicUrl.host}, as you allowed.`],
        action: { label: 'Look at your account', url: new URL('/account', settings.publicUrl).href },
        after: ['You can end it there at any time. What they do is on your activity page.'],
      });
      return sessions.create(user.id, client, trx, impersonator);
    });
    await sessions.end(request.headers.cookie, client);
    return reply.header('set-cookie', setCookie).redirect('/', 303);
  });
}
