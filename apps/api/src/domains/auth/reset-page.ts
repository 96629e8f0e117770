import { html } from '../../platform/html.ts';
import { EMAIL, field, framed, LINK, NEW_PASSWORD, PRIMARY } from './login-page.ts';
import { FORGOT_PATH, RESET_PATH } from './reset-links.ts';

interface Answered {
  values: Readonly<Record<string, string>>;
  /** What is wrong, by field. */
  errors: Readonly<Record<string, string>>;
  alert?: string | undefined;
}

const BACK = html`<p class="text-sm"><a href="/api/login" class="${LINK}">Back to log in</a></p>`;

/** Asks for the address that a link is sent to. */
export function forgotPage({ values, errors, alert }: Answered): string {
  return framed({
    title: 'Forgot password',
    heading: 'Forgot your password?',
    lead: 'Enter the email address of your account, and we will send you a link to set a new one.',
    alert,
    body: html`<form method="post" action="${FORGOT_PATH}" novalidate class="grid gap-4">
    ${field({ ...EMAIL, autocomplete: 'username' }, { values, errors }, true)}
    <button type="submit" class="${PRIMARY} mt-1">Send link</button>
  </form>${BACK}`,
  });
}

/** The same, whether or not there is an account. */
export function sentPage(email: string): string {
  return framed({
    title: 'Check your mail',
    heading: 'Check your mail',
    lead: `If ${email} has an account here, a link is on its way. It works for one hour.`,
    body: html`<p class="text-muted text-sm">Nothing there after a few minutes? Look into the spam folder, or <a href="${FORGOT_PATH}" class="${LINK}">try another address</a>.</p>${BACK}`,
  });
}

/** Where no mail can be sent. */
export function noMailPage(): string {
  return framed({
    title: 'Forgot password',
    heading: 'Forgot your password?',
    lead: 'This server sends no mail. Ask an administrator for a link to set a new password.',
    body: BACK,
  });
}

/** Said to who came by a provider and did not know the password: whoever did may have let others in. */
export const ALONE =
  'Everybody else, service accounts included, will be removed from your personal workspace, since a log-in by a provider came before.';

/** Asks for the new password of an account. */
export function resetPage({
  token,
  email,
  takesOver,
  errors,
  alert,
}: Omit<Answered, 'values'> & { token: string; email: string; takesOver: boolean }): string {
  return framed({
    title: 'New password',
    heading: 'Set a new password',
    lead: `For ${email}. All sessions will be logged out and all access tokens revoked.${takesOver ? ` ${ALONE}` : ''}`,
    alert,
    body: html`<form method="post" action="${RESET_PATH}" novalidate class="grid gap-4">
    <input type="hidden" name="token" value="${token}">
    <input type="hidden" name="username" autocomplete="username" value="${email}">
    ${field({ ...NEW_PASSWORD, label: 'New password' }, { values: {}, errors }, true)}
    <button type="submit" class="${PRIMARY} mt-1">Set password</button>
  </form>`,
  });
}

/** A link that does nothing any more; `again` is where another one is had. */
export function oldLinkPage(alert: string, again?: { href: string; label: string }): string {
  return framed({
    title: 'Link no longer valid',
    heading: 'This link no longer works',
    lead: 'Links in mails work once, and only for some time.',
    alert,
    body: html`${again && html`<p><a href="${again.href}" class="${LINK}">${again.label}</a></p>`}${BACK}`,
  });
}
