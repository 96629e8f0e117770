import { EmailToken } from '@nephos/contracts';
import type { FastifyInstance } from 'fastify';
import { sendError } from '../../http/error-answers.ts';
import { html } from '../../platform/html.ts';
import type { AuthParts } from './auth.ts';
import { CONFIRM_PATH, UNDO_PATH } from './email-change-links.ts';
import { confirmEmail, type EmailLink, readEmailLink, undoEmail } from './email-changes.ts';
import { isForm, noteFailure, textsIn } from './login-answers.ts';
import { FORM, inputOf } from './login-form.ts';
import { countVisit } from './login-limits.ts';
import { framed, LINK, PRIMARY } from './login-page.ts';
import { oldLinkPage } from './reset-page.ts';
import { linkInvalid } from './resets.ts';

const PAGE = 'text/html; charset=utf-8';

/** Where the links in mails of a changed address lead: a page with a button, since programs open links by themselves. */
export function addEmailChangeRoutes(app: FastifyInstance, deps: AuthParts): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      if (request.method === 'POST' && !isForm(request)) return sendError(request, reply, error);
      const { message } = noteFailure(request, reply, error);
      return reply.type(PAGE).send(oldLinkPage(message));
    });
    addPage(scope, deps, 'confirm');
    addPage(scope, deps, 'undo');

    scope.post(CONFIRM_PATH, FORM, async (request, reply) => {
      await countVisit(deps, request.ip);
      const { email } = await confirmEmail(deps, inputOf(EmailToken, request).token);
      return isForm(request) ? reply.type(PAGE).send(confirmedPage(email)) : { success: true };
    });

    scope.post(UNDO_PATH, FORM, async (request, reply) => {
      await countVisit(deps, request.ip);
      const path = await undoEmail(deps, inputOf(EmailToken, request).token);
      return isForm(request) ? reply.redirect(path, 303) : { success: true };
    });
  });
}

function addPage(app: FastifyInstance, deps: AuthParts, kind: EmailLink): void {
  app.get(kind === 'confirm' ? CONFIRM_PATH : UNDO_PATH, async (request, reply) => {
    await countVisit(deps, request.ip);
    const { token = '' } = textsIn(request.query);
    const change = await readEmailLink(deps.db, kind, token);
    if (!change) throw linkInvalid();
    return reply.type(PAGE).send(askPage(kind, token, change));
  });
}

function askPage(
  kind: EmailLink,
  token: string,
  { email, formerEmail }: { email: string; formerEmail: string },
): string {
  const texts = {
    confirm: {
      heading: 'Confirm your new address',
      lead: `The account ${formerEmail} gets the address ${email}. You log in with it from then on.`,
      label: 'Use this address',
      path: CONFIRM_PATH,
    },
    undo: {
      heading: 'Undo the change of address',
      lead: `The account gets the address ${formerEmail} back. Everybody is logged out, all access tokens are revoked, and you set a new password.`,
      label: 'Undo the change',
      path: UNDO_PATH,
    },
  }[kind];
  return framed({
    ...{ title: texts.heading, heading: texts.heading, lead: texts.lead },
    body: html`<form method="post" action="${texts.path}" class="grid gap-4">
    <input type="hidden" name="token" value="${token}">
    <button type="submit" class="${PRIMARY}">${texts.label}</button>
  </form>`,
  });
}

function confirmedPage(email: string): string {
  return framed({
    title: 'Address changed',
    heading: 'Your address is changed',
    lead: `You log in with ${email} from now on.`,
    body: html`<p><a href="/account" class="${LINK}">Go to your account</a></p>`,
  });
}
